/* The session: runs Lua as coroutines and stops them between primitives.
 *
 * An algorithm runs as a coroutine of the session. A wanted stop yields from the primitive's binding by
 * lua_yieldk, through any coroutines of the user's own in between (coroutine.resume and wrap are replaced by
 * versions that pass a stop on); a free run never yields. What is typed at the prompt runs free, in a
 * coroutine of its own, beside an algorithm that stands at a stop.
 *
 * Lua sees:
 *   session.stepped()       are primitives to be run one by one (ls_session_stepped)?
 *   session.fixpoint()      a value to be closed: `next` steps over what runs until then as one step:
 *                             local inside <close> = session.fixpoint()
 *   session.mark()          the present iteration mark (ls_session_mark)
 *   iterations(s)           `for it in iterations(s) do ... it:mark{improved = k} end`: it.n counts from 1,
 *                           it.state is s. `iter` and `break iter N` stop at the first it:mark of an
 *                           iteration, or, where an iteration had none, at the loop's head after it. The
 *                           marked numbers go to the trace (ls_trace_mark). */
#ifndef LS_SESSION_SESSION_H
#define LS_SESSION_SESSION_H

#include "lua/bind.h"
#include "run/trace.h"

typedef enum ls_ran {
  LS_DONE,       /* finished; results are on the stack of ls_session_lua */
  LS_PAUSED,     /* an algorithm stands at a stop */
  LS_ERROR,      /* the message is on the stack, a string; ls_session_traceback has the rest. An algorithm
                    that nobody caught the error in stands where it was raised: ls_session_failure */
  LS_UNFINISHED, /* the chunk is incomplete: read another line */
} ls_ran;

lua_State *ls_session_open(void); /* the one session: opens Lua and all bindings; NULL: out of memory */
lua_State *ls_session_lua(void);
void ls_session_close(void);
/* Makes L the session's state, with nothing opened but what a session needs. ls_session_open does it. */
ls_status ls_session_attach(lua_State *L);

/* Runs text as `return text` first, then as it is. On LS_DONE *nresults values are on top of the stack. At a
 * stop, names mean what they mean to `until` below. An assignment goes to the local or upvalue of that name
 * of the stopped function, where it has one (in the past that is an error), else to a global; until the next
 * stop the name then means what it was given. */
ls_ran ls_session_eval(const char *text, const char *chunkname, int *nresults);
/* A script: arg, ... ; "-" is stdin. Its results are dropped. Pauses only if ls_session_may_pause(true). */
ls_ran ls_session_run_file(const char *path, int argc, char **argv);
/* At a prompt a script stops at breakpoints and on Ctrl-C; in batch mode (as at first) it never does. */
void ls_session_may_pause(bool yes);
int ls_session_results(void);           /* how many values the last LS_DONE left on the stack */
const char *ls_session_traceback(void); /* of the last LS_ERROR, "" where there is none */

/* Stepping. A stop is told to ls_session_on_stop's callback. */
ls_ran ls_session_start(const char *expr); /* start f(x): to just before its first primitive */
ls_ran ls_session_step(u64 n);             /* n primitives, into fixpoints */
ls_ran ls_session_next(u64 n);             /* n primitives or whole fixpoints/loops */
ls_ran ls_session_iter(u64 n);             /* to the n-th next iteration mark */
ls_ran ls_session_finish(void);            /* to the return of the present Lua function */
ls_ran ls_session_continue(void);
ls_ran ls_session_until(const char *expr); /* to the first primitive after which expr is true */
/* To the end of the present iteration of the outermost loop over iterations(), where its state is saved to
 * path and the algorithm stops; `why` then says what came of it. */
ls_ran ls_session_checkpoint(const char *path);
/* n moments back, or forward, through what was recorded of the paused algorithm (run/journal.h): then the
 * stop, the buffers' contents and the locals are of that moment. In the past step, next, iter and until go
 * forward too, at most to the present; continue and finish go on from the present. Nothing can be launched or
 * written there. A local that is a table or a userdata, a buffer apart, is known by what it holds now. */
ls_ran ls_session_back(u64 n);
ls_ran ls_session_forward(u64 n); /* 0: to the present */
bool ls_session_paused(void);
/* Of the algorithm that has ended last, before the stop that was wanted: how many primitives ran since it was
 * wanted, all called from C functions that can't be stopped in, such as table.sort; false: it had no stop to
 * make. */
bool ls_session_missed(u64 *primitives);
/* Is an algorithm whose error nobody catches to stand where it was raised, with its frames, the buffers and
 * the journal, or to end? At first it is to stand. */
void ls_session_stop_on_error(bool yes);
bool ls_session_stops_on_error(void);
const char *ls_session_failure(void); /* the error by which the paused algorithm ended; NULL: by none */
ls_status ls_session_abandon(void);   /* drops the paused algorithm; closes its variables */

/* Expressions (until, if, watch, display; and the prompt's, at a stop) see, in this order: the COUNTs of the
 * primitive that ran last (`until moved == 0`), the values of the last iteration mark, the locals and the
 * upvalues of the stopped function, globals. Counts come first since a local that takes a count is assigned
 * only after the primitive has returned. An error in a condition that names something unknown means "not
 * yet"; any other error stops and is shown. */

typedef enum ls_stop_kind {
  LS_STOP_AFTER,  /* after a primitive, which is `record` */
  LS_STOP_BEFORE, /* before one */
  LS_STOP_LINE,   /* at a line of Lua */
  LS_STOP_MARK,   /* at an iteration mark */
  LS_STOP_ERROR,  /* where an error was raised that nobody caught: it cannot go on */
} ls_stop_kind;

typedef struct ls_stop {
  ls_stop_kind kind;
  bool recorded; /* does `record` hold the last primitive of this algorithm? */
  ls_record record;
  bool repeated; /* had that primitive run before? then `previous` holds its counts */
  u64 previous[LS_MAX_COUNTS];
  u32 mark;        /* the iteration mark, 0: none yet */
  char name[40];   /* BEFORE: the primitive's name, or "a primitive" */
  char marks[160]; /* MARK: "improved 12 lambda 3.5" */
  char where[64];  /* "scc.lua:18" */
  char why[240];   /* "break 2", "until moved == 0", "interrupted"; "" after a plain step */
  char text[120];  /* what was started: "scc(g)" */
} ls_stop;

/* The present stop; NULL where nothing is paused. */
const ls_stop *ls_session_stop(void);
void ls_session_on_stop(void (*show)(const ls_stop *stop));
/* Who pushes a table's contents as one line of text, for displays, locals and watches; may raise. */
void ls_session_on_text(void (*push)(lua_State *L, int index));
/* "#30 relax 1.31 ms frontier 1386->812 GB/s 2610 (61 %) sssp.lua:18  break 2" */
void ls_session_stop_line(const ls_stop *stop, char *out, size_t bytes);

/* At a stop: has that name a meaning there that is not a global's? */
bool ls_session_knows(const char *name);
/* The same, and pushes it onto the session's stack; nothing of the user's runs. */
bool ls_session_push(const char *name);

/* Breakpoints and watches. spec: "NAME", "FILE:LINE" or "iter [N]", each with an optional " if EXPR". */
typedef struct ls_breakpoint {
  int id;
  const char *kind; /* "break", "tbreak" or "watch" */
  const char *text; /* as it was given */
  u64 hits;
} ls_breakpoint;

ls_status ls_session_break(const char *spec, bool temporary, int *id);
/* Of the last one: that its line has no code and the next that has was taken, or that its file is not loaded;
 * "": nothing. Where no line behind it has code there is no breakpoint, but an error. */
const char *ls_session_break_note(void);
ls_status ls_session_watch(const char *expr, int *id);
ls_status ls_session_delete(int id);                   /* 0: all */
bool ls_session_breakpoint(int i, ls_breakpoint *out); /* the i-th from 0; false: there is none */

/* Expressions shown at every stop. */
ls_status ls_session_display(const char *expr, int *id);
ls_status ls_session_undisplay(int id); /* 0: all */
/* Calls show for each with its value as text, evaluated at the present stop ("" where nothing is paused). */
void ls_session_displays(void (*show)(int id, const char *expr, const char *value));

/* At a stop, innermost first; nothing where nothing is paused. */
void ls_session_locals(void (*show)(const char *name, const char *value));
void ls_session_backtrace(void (*show)(int level, const char *where, const char *function));

/* For views, which look but run nothing of the user's. */
bool ls_session_running(void); /* Lua runs: its values are not to be looked at now */
u64 ls_session_first(void); /* the present algorithm's records have numbers from this on; 0: none is paused */
/* Calls each with every local and upvalue of the functions that stand at the stop, innermost first; where
 * nothing is paused, with the globals instead (level -1). The value is on top of L's stack and stays there.
 * Raw access alone, and the collector rests meanwhile: no metamethod, no finalizer runs. Nothing happens
 * while Lua runs. */
void ls_session_values(void (*each)(void *ctx, lua_State *L, int level, const char *name), void *ctx);

/* For bindings: a primitive's C function is `return ls_session_around(L, launch)`, where launch runs it and
 * pushes its results. Stops, before or after, happen here. */
int ls_session_around(lua_State *L, lua_KFunction launch);
/* For a primitive that runs: a stop after it is wanted, and why. False where nothing can stop. */
bool ls_session_ask_stop(const char *why);
u64 ls_session_touched(
    void); /* how often buffers were, or may have been, written from the prompt at a stop */
void ls_session_stop_asked(void); /* no primitive runs: it is to be before the next one */
/* Is every primitive to be run one by one (stepping, a breakpoint that may lie inside, watch, until)? If not,
 * loops may run fused. */
bool ls_session_stepped(void);
u32 ls_session_mark(void); /* the present iteration mark, from 1; 0: none yet */
/* The Lua source position of the primitive's caller, "scc.lua:18"; frames of prelude.lua are passed over. */
void ls_session_where(lua_State *L, char *out, size_t bytes);

/* The chunk name that Lua gives the stopped function's source: "@/home/ada/scc.lua", or "@scc.lua" for one of
 * the embedded library; "" where nothing is paused. */
void ls_session_source(char *out, size_t bytes);
/* For a timer's handler, async-signal-safe: ls_idle is called soon, in the middle of Lua code that calls no
 * primitive for long. */
void ls_session_tick(void);

/* Ctrl-C: the prompt's SIGINT handler calls ls_interrupt() and this; async-signal-safe. A running algorithm
 * stops at its next primitive. A second Ctrl-C before that, or one while anything else runs, raises
 * "interrupted" (LS_EINTERRUPTED), again and again until control is back at the prompt: a pcall loop cannot
 * swallow it. Nothing happens where no Lua runs. */
void ls_session_interrupt(void);
/* As lua_pcall, where no run is under way: Ctrl-C interrupts what is called (a __tostring, say). */
int ls_session_call(lua_State *L, int nargs, int nresults);
/* Does a Ctrl-C or a pause wait for the algorithm's next primitive? */
bool ls_session_stopping(void);

/* From ls_idle: what runs is to stop at its next primitive or line; a loop that runs in one piece returns
 * early. What was typed at the prompt becomes the paused algorithm then, which `continue` and the others take
 * on. false: it cannot, since it runs beside an algorithm that stands at a stop, or nothing runs. */
bool ls_session_pause(void);

#endif
