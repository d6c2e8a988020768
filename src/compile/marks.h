/* What a launch in the form that notices races (kernels/language/races.h) leaves of each access. */
#ifndef LS_COMPILE_MARKS_H
#define LS_COMPILE_MARKS_H

#include "language/watch.h"
#include "run/launch.h"

/* Sets in w which arguments of L leave marks and where, from `block` on; returns how many there are. Two
 * arguments with the same array share them. */
u64 ls_marks_lay(const ls_launch *L, ls_mark *block, ls_watch *w);

#endif
