/* Runs lines typed at the prompt, scripts, and the one algorithm that can be paused at a stop.
 *
 * An algorithm runs as a coroutine of the session. At a stop the primitive's binding yields by lua_yieldk,
 * through the user's own coroutines if any (coroutine.resume and wrap are replaced by versions that pass a
 * stop on); a free run never yields. A line typed at the prompt runs free, in a separate coroutine, also
 * while an algorithm is paused. */
#ifndef LS_SESSION_RUN_H
#define LS_SESSION_RUN_H

#include "session/stops.h"

typedef enum ls_ran {
  LS_DONE,       /* finished; results are on the stack of ls_session_lua */
  LS_PAUSED,     /* an algorithm is paused at a stop */
  LS_ERROR,      /* the message, a string, is on the stack; ls_session_traceback has the rest. If an algorithm
                    stopped where the error was raised, ls_session_failure is not NULL */
  LS_UNFINISHED, /* the chunk is incomplete: read another line */
} ls_ran;

/* Runs text as `return text`; if that does not compile, as statements; if these do not, as statements with an
 * expression after the last semicolon, `a = 5; a`. On LS_DONE *results values are on top of the stack. At a
 * stop, names are looked up as in `until` (session/values.h). An assignment sets the local or upvalue of that
 * name of the stopped function (in the past that is an error), or a global if there is none; until the next
 * stop the name then means the assigned value. */
ls_ran ls_session_eval(const char *text, const char *chunkname, int *results);

/* Sets Lua's global arg: the name of the script at 0, its arguments from 1 on. */
void ls_session_arguments(lua_State *L, const char *name, int argc, char **argv);
/* Runs a script with its arguments in `arg` and `...`; path "-" is stdin. On LS_DONE its *results return
 * values are on top of the stack; if `results` is NULL they are dropped. Pauses only after
 * ls_session_may_pause(true). */
ls_ran ls_session_run_file(const char *path, int argc, char **argv, int *results);
ls_ran ls_session_start(const char *expr); /* start f(x): runs to just before its first primitive */
u64 ls_session_runs(void);                 /* how many scripts and algorithms have been started */
ls_status ls_session_abandon(void);        /* drops the paused algorithm; closes its to-be-closed variables */
bool ls_session_ended(void); /* the paused algorithm has returned, and the current stop is its end */
/* Drops the recording of an algorithm that has ended; called when something else is launched or started. Does
 * nothing if the user has gone back in that recording, because that algorithm is then the paused one. */
void ls_session_forget_ended(void);
/* At a prompt a script stops at breakpoints and on Ctrl-C; in batch mode, the default, it never does. */
void ls_session_may_pause(bool yes);
bool ls_session_has_prompt(void); /* the last argument of ls_session_may_pause */
/* Registers the callback that shows a stop. */
void ls_session_on_stop(void (*show)(const ls_stop *stop));

int ls_session_results(void);           /* how many values the last LS_DONE left on the stack */
const char *ls_session_traceback(void); /* of the last LS_ERROR; "" if there was none */
const char *ls_session_failure(void);   /* the error that ended the paused algorithm; NULL: none */
/* true if the last algorithm ended while a stop was pending. *primitives is then the number of primitives
 * that ran since the stop was requested, all called from C functions inside which no stop is possible, such
 * as table.sort. */
bool ls_session_missed(u64 *primitives);
/* The number of the first trace record of the running or paused algorithm; if there is none, of the last run
 * that left records; 0: no run yet. */
u64 ls_session_first(void);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct runs {
  stepping algorithm, evaluation;
  char *failure; /* the error that ended the paused algorithm; NULL: it can go on */
  bool ended;    /* the algorithm has returned, and its recording still exists */
} the_runs;

void run_open(void);
/* If an algorithm has ended and its recording still exists, makes it the paused algorithm, at its end. false:
 * there is none. */
bool run_stand_at_end(void);
void run_close(void);

typedef struct run_job {
  const char *text, *chunkname;
  int argc;
  char **argv;
  bool wants_results;
  stepping *r; /* NULL: nothing runs */
  run_mode mode;
  u64 n;
  ls_ran ran;
} run_job;
/* Calls body(job) in a protected call. An error leaves its message on the stack; a stop is shown. */
ls_ran run_guarded(lua_CFunction body, run_job *j);
ls_ran run_refused(const char *message);
const char *run_none(void); /* the message for when no algorithm is paused */
ls_ran run_go_on(void);     /* resumes the paused algorithm as the_runs.algorithm says */

#endif
