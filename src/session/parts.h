/* What the files of the session share: session.c runs, stops.c decides, points.c keeps breakpoints, scope.c
 * looks into frames, past.c goes back to earlier stops, coroutine.c passes stops on, l_session.c is what
 * Lua sees. */
#ifndef LS_SESSION_PARTS_H
#define LS_SESSION_PARTS_H

#include "session/session.h"

/* RUN_HEAD: to the head of the outermost loop over iterations(), where the one before has ended. */
typedef enum run_mode { RUN_ON, RUN_STEP, RUN_NEXT, RUN_ITER, RUN_FINISH, RUN_UNTIL, RUN_HEAD } run_mode;

typedef struct run {
  lua_State *co; /* NULL: none */
  int ref;       /* keeps it from the collector */
  bool stoppable;
  run_mode mode;
  u64 left;             /* steps, nexts or marks to go */
  int fixpoints;        /* entered now */
  int base;             /* RUN_NEXT: fixpoints entered when it began */
  bool pending;         /* a stop is wanted wherever one is possible next */
  u64 late;             /* primitives that ran since it was wanted */
  bool at_line;         /* a pending stop may happen at a line, too */
  bool stood;           /* it has stopped before */
  bool pausing;         /* ls_session_pause has asked for the pending one */
  lua_State *returning; /* RUN_FINISH: the thread and, counted from its bottom, the frame */
  int returning_height;
  int until; /* RUN_UNTIL: the compiled expression */
  u32 mark;
  u64 marks;              /* iterations marked so far */
  bool unrecorded;        /* it goes on where nothing may stop it: the journal has ended */
  bool told;              /* that the journal lost what it had */
  u64 first_seq;          /* records before it are of other runs, */
  u64 stopped_at, beside; /* and so are those after its last stop up to `beside` */
  char text[120];
} run;

/* Lua's own limit on nested C calls is 200; a stop passes at most so many coroutines. */
enum { MAX_STANDING = 240 };

struct session {
  lua_State *L;
  run algorithm, evaluation;
  run *current;                /* the one that is running */
  lua_State *volatile running; /* the Lua thread that is running, for the signal handler */
  volatile int asked;          /* Ctrl-C since the last stop or end */
  volatile int raise;          /* an interrupt error is to be raised until the run has ended */
  bool may_pause;
  char asks[240];                    /* why the present primitive asks for a stop after it; "": it doesn't */
  bool blocked;                      /* somewhere below, a coroutine was resumed where no yield is possible */
  int nested;                        /* user coroutines being resumed */
  lua_State *standing[MAX_STANDING]; /* the coroutines of the present stop, innermost first */
  int nstanding;
  bool paused;
  ls_stop stop;
  bool past;       /* `stop` is a recorded one */
  bool errors_end; /* an error ends the algorithm at once */
  char *failure;   /* the error by which the paused algorithm ended; NULL: it can go on */
  void (*on_stop)(const ls_stop *);
  void (*on_text)(lua_State *L, int index);

  u64 first, first_before; /* where the records of the last two runs begin */

  lua_State *scratch; /* evaluates expressions */
  lua_State *frame;   /* whose locals they see; NULL: nobody's */
  int evaluating;     /* > 0: primitives run freely and nothing stops */
  bool unknown;       /* the last expression named something unknown */
  u64 touched;        /* ls_session_touched */
  bool unstopped;     /* the last algorithm ended with a stop still wanted, */
  u64 missed;         /* after so many primitives */
  bool assigned;      /* names were assigned to by hand at this stop (scope.c) */
  bool changed;       /* locals were, and no moment of the journal has them yet */
  int nresults;
  char *traceback;
};
extern struct session session;

/* session.c */
typedef struct job {
  const char *text, *chunkname;
  int argc;
  char **argv;
  run *r;
  run_mode mode;
  u64 n;
  ls_ran ran;
} job;
/* Calls body(job) protected; an error's message is left on the stack, a stop is told. */
ls_ran session_guarded(lua_CFunction body, job *j);
ls_ran session_refused(const char *message);
ls_ran session_resume(run_mode mode, u64 n); /* the paused algorithm goes on */
void session_sync_hook(lua_State *L);
void session_close_run(run *r);
void session_clear_interrupt(void);

/* stops.c */
const ls_record *stops_newest(void); /* the algorithm's last record; NULL: none */
void stops_describe(lua_State *L, ls_stop_kind kind, ls_stop *stop);
bool stops_apply(void);
bool stops_possible(lua_State *L);
void stops_note(lua_State *L, ls_stop_kind kind);
bool stops_at_error(lua_State *co); /* an error has left co as it was: it stands there, if that is of use */
void stops_why(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool stops_at_mark(lua_State *L, u32 mark, const char *marks);
bool stops_at_head(lua_State *L, u32 mark, const char *why); /* likewise, unasked */
void stops_at_loop_end(void);                                /* no head comes any more */
bool stops_at_fixpoint_end(lua_State *L, int before);
void stops_line_hook(lua_State *L, lua_Debug *ar);
int stops_hook_mask(void); /* the events that the present run wants; 0: none */

/* points.c */
bool points_any_steps(void); /* is there one that needs every primitive to run alone? */
bool points_any_lines(void);
bool points_any(void);                               /* is there a breakpoint or watch at all? */
bool points_after(lua_State *L, const ls_record *r); /* r NULL: the primitive left no record */
bool points_mark(lua_State *L, u32 mark);
bool points_line(lua_State *L, lua_Debug *ar);
void points_begin(void); /* a new algorithm: watches forget their values */
void points_close(void);

/* scope.c */
void scope_open(lua_State *L);
bool scope_frame(lua_State *T, lua_Debug *ar); /* the stopped Lua function */
void scope_function_name(lua_State *T, lua_Debug *ar, char *out, size_t bytes);
/* The global ("outer"), or the field of one ("scc.fast"), that the function on top of T is: a tail call or a
 * table leaves it no better name. Looks at all of them, which takes some 50 us. */
bool scope_global_name(lua_State *T, char *out, size_t bytes);
int scope_height(lua_State *T); /* frames on T */
bool scope_height_is(lua_State *T, int height);
bool scope_in_prelude(lua_State *T, lua_Debug *ar);
int scope_level(lua_State *T);     /* of the stopped Lua function; -1: none */
void scope_remember(lua_State *T); /* at a line, in the hook: the names of the locals */
/* A reference to the compiled `return expr`; LUA_NOREF with the message set if it does not compile. Raises
 * only when memory is short. */
int scope_compile(lua_State *L, const char *expr);
/* Its value in frame T; leaves it at 1 and its text at 2 of session.scratch, or returns false with the
 * message set. */
bool scope_value(lua_State *L, lua_State *T, int compiled);
/* Is it true? An error that is no "not yet" counts as a stop: *failed is set. */
bool scope_true(lua_State *L, lua_State *T, int compiled, bool *failed);
void scope_push_environment(lua_State *L);
/* Pushes a table of the stopped function and its locals' names and values, {f, name, value, ...}; `keep`
 * turns a value on top into what is kept of it. Returns the number of items; may raise. */
int scope_push_locals(lua_State *L, lua_State *T, void (*keep)(lua_State *L));
void scope_text(lua_State *L, int i); /* pushes a short text; may raise */

/* coroutine.c, l_session.c */
void coroutine_open(lua_State *L);
bool marks_push(lua_State *L, const char *name); /* a value of the last mark */
void marks_forget(lua_State *L);
void iteration_freeze(lua_State *L); /* the iteration on top becomes one that stays as it is */
int marks_keep(lua_State *L);        /* a reference to the last mark's values */
void marks_restore(lua_State *L, int reference);

/* l_checkpoint.c */
void checkpoint_open(lua_State *L);
bool checkpoint_due(u32 n); /* is one due where the n-th iteration of the outermost loop has ended? */
/* Writes it; the iteration is at 1, `loop` the function that iterates. Returns whether it was asked for at
 * the prompt, which wants to see the outcome; it is in `why` then. */
bool checkpoint_write(lua_State *L, u32 n, const char *loop);
/* Fills the state at 1 and the table at 2 from the file; returns the iteration that had ended. Raises. */
u32 checkpoint_load(lua_State *L, const char *path, const char *loop);
bool checkpoint_wanted(void); /* has somebody asked for one? */
void checkpoint_forget(void);

/* past.c */
void past_open(void);
void past_pause(void);                     /* a stop has been noted: it becomes a moment */
void past_primitive(lua_State *L);         /* a primitive that is stepped over becomes one */
void past_typed(void);                     /* what was typed at a stop has run */
ls_status past_leave(run_mode mode);       /* the algorithm is to go on: to the present */
ls_ran past_forward(run_mode mode, u64 n); /* step, next, iter and until in the past */
void past_end(void);
bool past_push_local(lua_State *L, const char *name); /* of the recorded stop */
void past_source(char *out, size_t bytes); /* as ls_session_source; leaves out alone where nothing is known */
/* Calls each with the recorded stop's locals; the value is on top of L. */
void past_locals(lua_State *L, void (*each)(void *ctx, lua_State *L, const char *name), void *ctx);

#endif
