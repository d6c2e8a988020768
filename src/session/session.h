/* The session runs Lua as coroutines and stops them between primitives. This header is for the code above it.
 * The layers, lowest first:
 *
 *   threads      the Lua state, the running Lua thread, Ctrl-C
 *   stop         what a stop is
 *   frames       the Lua functions on the stack at a stop; marks: the values of the last iteration mark
 *   rewrite_equality  == in expressions; values: expressions, and values as text
 *   watch_value  has a watched value changed?
 *   breakpoints  breakpoints, watches, displays
 *   stops        when a run stops; coroutine: stops pass through the user's own coroutines
 *   run          lines typed at the prompt, scripts, and the one algorithm that can be paused
 *   past         back and forward through the recording; checkpoint: a state in a file
 *   search       searches in the recording
 *   resume       step, next, until ... */
#ifndef LS_SESSION_SESSION_H
#define LS_SESSION_SESSION_H

#include "session/checkpoint.h"
#include "session/coroutine.h"
#include "session/rewrite_equality.h"
#include "session/frames.h"
#include "session/marks.h"
#include "session/past.h"
#include "session/profiling.h"
#include "session/breakpoints.h"
#include "session/run.h"
#include "session/search.h"
#include "session/watch_value.h"
#include "session/resume.h"
#include "session/stop.h"
#include "session/stops.h"
#include "session/threads.h"
#include "session/values.h"

/* Makes L the Lua state of the session, of which there is one. Opens only what the session needs;
 * lua/open.h opens everything. */
ls_status ls_session_attach(lua_State *L);
void ls_session_close(void); /* also closes L */

#endif
