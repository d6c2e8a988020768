/* The shadow memory of race-checked launches (kernels/language/races.h): one mark per element stores the
 * accesses to it. */
#ifndef LS_COMPILE_RACE_SHADOW_H
#define LS_COMPILE_RACE_SHADOW_H

#include "language/watch.h"
#include "run/launch/launch.h"

/* Assigns parts of `block` to the arguments of L that need marks and stores them in w; block NULL: only
 * counts. Returns the number of marks. Arguments with the same array share their marks. */
u64 ls_race_shadow_assign(const ls_launch *L, ls_mark *block, ls_watch *w);

#endif
