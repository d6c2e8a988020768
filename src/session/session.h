/* The session: runs Lua as coroutines and stops them between primitives. For all who stand above it; the
 * layers, from below:
 *
 *   threads      the Lua state, what runs in it, Ctrl-C
 *   stop         what a stop is
 *   frames       the functions that stand at one; marks: the values of the last iteration mark
 *   equality     == in expressions; values: expressions, and values as text
 *   seen         has a watched value changed?
 *   points       breakpoints, watches, displays
 *   stops        when a run stops; coroutine: the user's own pass stops on
 *   run          what is typed, scripts, and the one algorithm that can stand at a stop
 *   past         back and forward through what was recorded; checkpoint: a state in a file
 *   search       what is looked for in the recording
 *   steer        step, next, until ... */
#ifndef LS_SESSION_SESSION_H
#define LS_SESSION_SESSION_H

#include "session/checkpoint.h"
#include "session/coroutine.h"
#include "session/equality.h"
#include "session/frames.h"
#include "session/marks.h"
#include "session/past.h"
#include "session/ranges.h"
#include "session/points.h"
#include "session/run.h"
#include "session/search.h"
#include "session/seen.h"
#include "session/steer.h"
#include "session/stop.h"
#include "session/stops.h"
#include "session/threads.h"
#include "session/values.h"

/* Makes L the one session's state, with nothing opened but what a session needs (lua/open.h opens all). */
ls_status ls_session_attach(lua_State *L);
void ls_session_close(void); /* closes L, too */

#endif
