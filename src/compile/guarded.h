/* A launch of a text on a CPU, of which a thread may cause a signal: a division by zero, an access outside of
 * all memory. That thread jumps back to its guard, within the team of OpenMP; the others skip what they have
 * not begun; and the launch fails with a message. */
#ifndef LS_COMPILE_GUARDED_H
#define LS_COMPILE_GUARDED_H

#include "run/launch.h"

/* Runs f(L). LS_EARG: a signal ended a thread of it. restored: then its outputs will be as they were. */
ls_status ls_launch_guarded(ls_launch *L, ls_launch_fn f, bool restored);

#endif
