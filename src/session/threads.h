/* The session's Lua state, the Lua thread that runs in it, and Ctrl-C. */
#ifndef LS_SESSION_THREADS_H
#define LS_SESSION_THREADS_H

#include <stdbool.h>

#include "session/raise.h"

lua_State *ls_session_lua(void);
bool ls_session_running(void); /* Lua is running: its values must not be read now */
/* As lua_pcall, for use when no run is in progress: Ctrl-C interrupts the called function (a __tostring,
 * say). */
int ls_session_call(lua_State *L, int nargs, int nresults);
/* Calls f(arg), arg being a light userdata, for code that may raise only for want of memory. False: it did.
 */
bool ls_session_try(lua_State *L, lua_CFunction f, const void *arg);
/* For a timer's signal handler, async-signal-safe: makes the running Lua code call ls_idle soon, even if it
 * calls no primitive for a long time. */
void ls_session_tick(void);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct threads {
  lua_State *L;
  lua_State *volatile running; /* the Lua thread that is running, for the signal handler; NULL: none */
  bool busy;                   /* a run is in progress (run.c) */
  volatile int asked;          /* Ctrl-C since the last stop or end */
  volatile int raise;          /* raise "interrupted" until the run has ended; 2: it has been raised before */
  lua_State *volatile keeper;  /* the thread that polls for the first Ctrl-C (ls_session_interrupted) */
} the_threads;

void threads_open(lua_State *L);
/* Registers the hook for Lua's debug events; mask returns the events that the current run needs (LUA_MASK...,
 * 0: none). */
void threads_watch_by(int (*mask)(void), lua_Hook hook);
void threads_sync_hook(lua_State *L); /* installs the hook that L needs now, or removes ours */
void threads_raise_interrupt(void);   /* raises "interrupted" in the running thread; async-signal-safe */
void threads_clear_interrupt(void);
int threads_close(lua_State *co); /* closes co's to-be-closed variables; Ctrl-C interrupts them */

#endif
