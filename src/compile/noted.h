/* What a launch in a checked form has noted, as an error that names it. */
#ifndef LS_COMPILE_NOTED_H
#define LS_COMPILE_NOTED_H

#include "language/watch.h"
#include "run/launch.h"

/* LS_EARG: "heaviest: vertex 17 reads w[19], extent 12 (heaviest.h:14)", or "labels: a race: vertex 4 reads
 * label[7] (labels.h:12), which vertex 7 writes without an atomic (labels.h:15)"; and that what the row
 * writes is as it was before. */
ls_status ls_noted(const ls_launch *L, const ls_watch *w);

/* "vertex": what a thread of a row with a domain of its own is called. */
const char *ls_thread_name(const ls_prim *p);

#endif
