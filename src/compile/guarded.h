/* Launches a loaded row on a CPU so that a signal in one of its threads (a division by zero, an access to
 * unmapped memory) fails the launch with a message. That thread jumps back to its guard, inside OpenMP's
 * parallel region; the other threads skip the work that they have not begun. */
#ifndef LS_COMPILE_GUARDED_H
#define LS_COMPILE_GUARDED_H

#include "run/launch/launch.h"

/* Runs f(L). LS_EARG: a signal ended one of its threads. restored: the message says that the outputs are
 * restored, which the caller does. */
ls_status ls_launch_guarded(ls_launch *L, ls_launch_fn f, bool restored);

#endif
