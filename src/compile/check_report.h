/* Turns what a launch in a checked variant has noted into an error message. */
#ifndef LS_COMPILE_CHECK_REPORT_H
#define LS_COMPILE_CHECK_REPORT_H

#include "language/watch.h"
#include "run/launch/launch.h"

/* Always LS_EARG: "heaviest: vertex 17 reads w[19], outside its extent of 12 elements (heaviest.h:14)", or
 * "labels: a race: vertex 4 reads label[7] (labels.h:12), which vertex 7 writes without an atomic
 * (labels.h:15)"; the message adds that the row's outputs are restored. */
ls_status ls_check_report(const ls_launch *L, const ls_watch *w);

/* What a thread of the row is called, by its domain: "vertex", "edge", ... */
const char *ls_thread_name(const ls_prim *p);

#endif
