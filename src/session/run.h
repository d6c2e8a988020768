/* Runs: what is typed, scripts, and the one algorithm that can stand at a stop.
 *
 * An algorithm runs as a coroutine of the session. A wanted stop yields from the primitive's binding by
 * lua_yieldk, through any coroutines of the user's own in between (coroutine.resume and wrap are replaced by
 * versions that pass a stop on); a free run never yields. What is typed at the prompt runs free, in a
 * coroutine of its own, beside an algorithm that stands at a stop. */
#ifndef LS_SESSION_RUN_H
#define LS_SESSION_RUN_H

#include "session/stops.h"

typedef enum ls_ran {
  LS_DONE,       /* finished; results are on the stack of ls_session_lua */
  LS_PAUSED,     /* an algorithm stands at a stop */
  LS_ERROR,      /* the message is on the stack, a string; ls_session_traceback has the rest. An algorithm
                    that nobody caught the error in stands where it was raised: ls_session_failure */
  LS_UNFINISHED, /* the chunk is incomplete: read another line */
} ls_ran;

/* Runs text as `return text`; if it is none, as it is; or as statements with an expression behind the last
 * semicolon, `a = 5; a`. On LS_DONE *results values are on top of the stack. At a stop, names mean what they
 * mean to `until` (session/values.h). An assignment goes to the local or upvalue of that name of the stopped
 * function, where it has one (in the past that is an error), else to a global; until the next stop the name
 * then means what it was given. */
ls_ran ls_session_eval(const char *text, const char *chunkname, int *results);

/* A script: arg, ... ; "-" is stdin. On LS_DONE what it returned is on top of the stack, *results values;
 * with results = NULL it is dropped. Pauses only if ls_session_may_pause(true). */
ls_ran ls_session_run_file(const char *path, int argc, char **argv, int *results);
ls_ran ls_session_start(const char *expr); /* start f(x): to just before its first primitive */
u64 ls_session_runs(void);                 /* how many scripts and algorithms have been started */
ls_status ls_session_abandon(void);        /* drops the paused algorithm; closes its variables */
bool ls_session_ended(void);               /* the paused algorithm has returned, and we are at its end */
/* The recording of an algorithm that has ended is kept until this: something else is launched or started.
 * Where it has been gone back to, so that the algorithm is paused, nothing happens. */
void ls_session_forget_ended(void);
/* At a prompt a script stops at breakpoints and on Ctrl-C; in batch mode (as at first) it never does. */
void ls_session_may_pause(bool yes);
bool ls_session_has_prompt(void); /* the last that ls_session_may_pause was told */
/* A stop is told to this callback. */
void ls_session_on_stop(void (*show)(const ls_stop *stop));

int ls_session_results(void);           /* how many values the last LS_DONE left on the stack */
const char *ls_session_traceback(void); /* of the last LS_ERROR, "" where there is none */
const char *ls_session_failure(void);   /* the error by which the paused algorithm ended; NULL: by none */
/* Of the algorithm that has ended last, before the stop that was wanted: how many primitives ran since it was
 * wanted, all called from C functions that can't be stopped in, such as table.sort; false: it had no stop to
 * make. */
bool ls_session_missed(u64 *primitives);
u64 ls_session_first(void); /* the present algorithm's records have numbers from this on; 0: none is paused */

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct runs {
  stepping algorithm, evaluation;
  char *failure; /* the error by which the paused algorithm ended; NULL: it can go on */
  bool ended;    /* the algorithm has returned, and what was recorded of it is still there */
} the_runs;

void run_open(void);
/* An ended algorithm whose recording is still there becomes the paused one, at its end. False: there is none.
 */
bool run_stand_at_end(void);
void run_close(void);

typedef struct run_job {
  const char *text, *chunkname;
  int argc;
  char **argv;
  bool wants_results;
  stepping *r;
  run_mode mode;
  u64 n;
  ls_ran ran;
} run_job;
/* Calls body(job) protected; an error's message is left on the stack, a stop is told. */
ls_ran run_guarded(lua_CFunction body, run_job *j);
ls_ran run_refused(const char *message);
const char *run_none(void); /* what is told where nothing stands at a stop */
ls_ran run_go_on(void);     /* the paused algorithm, as the_runs.algorithm says how far */

#endif
