/* What a launch in the form that notices races (kernels/language/races.h) leaves of each access, and what is
 * said of a race. */
#ifndef LS_COMPILE_MARKS_H
#define LS_COMPILE_MARKS_H

#include "language/watch.h"
#include "run/launch.h"

/* Sets in w which arguments of L leave marks and where, from `block` on; returns how many there are. Two
 * arguments with the same array share them. */
u64 ls_marks_lay(const ls_launch *L, ls_mark *block, ls_watch *w);

/* LS_EARG: "labels: vertex 4 reads label[7] (labels.h:12), which vertex 7 writes (labels.h:15); ..." */
ls_status ls_marks_race(const ls_launch *L, const ls_watch *w);

/* What one thread of the row is called: "vertex". */
const char *ls_thread_name(const ls_prim *p);

#endif
