/* The session: runs Lua as coroutines and stops them between primitives.
 *
 * An algorithm runs as a coroutine of the session. A wanted stop yields from the primitive's binding by
 * lua_yieldk with a private light userdata; a free run never yields. */
#ifndef LS_LUA_SESSION_H
#define LS_LUA_SESSION_H

#include "lua/bind.h"
#include "run/trace.h"

typedef enum ls_ran {
  LS_DONE,       /* finished; results are on the stack of ls_session_lua */
  LS_PAUSED,     /* an algorithm stands at a stop */
  LS_ERROR,      /* the message (with traceback where wanted) is on the stack */
  LS_UNFINISHED, /* the chunk is incomplete: read another line */
} ls_ran;

lua_State *ls_session_open(void); /* the one session: opens Lua and all bindings */
lua_State *ls_session_lua(void);
void ls_session_close(void);

/* Runs text as `return text` first, then as it is. On LS_DONE *nresults values are on top of the stack. */
ls_ran ls_session_eval(const char *text, const char *chunkname, int *nresults);
ls_ran ls_session_run_file(const char *path, int argc, char **argv); /* a script: arg, ... ; "-" is stdin */

/* Stepping. All print their stop line through ls_session_on_stop's callback. */
ls_ran ls_session_start(const char *expr);  /* start f(x): to just before its first primitive */
ls_ran ls_session_step(u64 n);              /* n primitives, into fixpoints */
ls_ran ls_session_next(u64 n);              /* n primitives or whole fixpoints/loops */
ls_ran ls_session_iter(u64 n);              /* to the n-th next iteration mark */
ls_ran ls_session_finish(void);             /* to the return of the present Lua function */
ls_ran ls_session_continue(void);
ls_ran ls_session_until(const char *expr);  /* to the first stop where expr is true */
bool ls_session_paused(void);
ls_status ls_session_abandon(void);         /* drops the paused algorithm */

/* Ctrl-C: hooks the Lua state that runs now, so that it raises "interrupted" (LS_EINTERRUPTED), again and again
 * until control is back at the prompt: a pcall loop cannot swallow it. Async-signal-safe; the prompt's SIGINT
 * handler calls ls_interrupt() and this. Nothing happens where no Lua runs. */
void ls_session_interrupt(void);

/* For bindings: a primitive's C function is `return ls_session_around(L, launch)`, where launch runs it and
 * pushes its results. Stops, before or after, happen here. */
int ls_session_around(lua_State *L, lua_KFunction launch);
/* Is every primitive to be run one by one (stepping, a breakpoint that may lie inside, watch, until)? If
 * not, loops may run fused. */
bool ls_session_stepped(void);
/* The Lua source position of the primitive's caller, "scc.lua:18". */
void ls_session_where(lua_State *L, char *out, size_t bytes);

#endif
