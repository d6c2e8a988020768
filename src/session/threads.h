/* The session's Lua state, the Lua thread that runs in it, and Ctrl-C. */
#ifndef LS_SESSION_THREADS_H
#define LS_SESSION_THREADS_H

#include <stdbool.h>

#include "session/raise.h"

lua_State *ls_session_lua(void);
bool ls_session_running(void); /* Lua runs: its values are not to be looked at now */
/* As lua_pcall, where no run is under way: Ctrl-C interrupts what is called (a __tostring, say). */
int ls_session_call(lua_State *L, int nargs, int nresults);
/* For a timer's handler, async-signal-safe: ls_idle is called soon, in the middle of Lua code that calls no
 * primitive for long. */
void ls_session_tick(void);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct threads {
  lua_State *L;
  lua_State *volatile running; /* the Lua thread that is running, for the signal handler; NULL: none */
  bool busy;                   /* a run is under way (run.c) */
  volatile int asked;          /* Ctrl-C since the last stop or end */
  volatile int raise;          /* an interrupt error is to be raised until the run has ended */
  lua_State
      *volatile keeper; /* what asks for the first Ctrl-C itself (ls_session_interrupted); NULL: nothing */
} the_threads;

void threads_open(lua_State *L);
/* Who waits for events of Lua: mask tells which ones the present run wants (0: none), hook is called at
 * them. */
void threads_watch_by(int (*mask)(void), lua_Hook hook);
void threads_sync_hook(lua_State *L); /* gives the thread the hook that is wanted now */
void threads_raise_interrupt(void);   /* what runs gets the error "interrupted"; async-signal-safe */
void threads_clear_interrupt(void);
int threads_close(lua_State *co); /* closes its variables; Ctrl-C interrupts that */

#endif
