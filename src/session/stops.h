/* When a run stops: before or after a primitive, at a line, at an iteration mark, at a fixpoint's end, or
 * where the expression of `until` holds. */
#ifndef LS_SESSION_STOPS_H
#define LS_SESSION_STOPS_H

#include "session/raise.h"
#include "session/records.h"

/* --- for bindings ------------------------------------------------------------------------------------ */

/* A primitive's C function is `return ls_session_around(L, launch, name)`, where launch runs it and pushes
 * its results. Stops, before or after, happen here. */
int ls_session_around(lua_State *L, lua_KFunction launch, const char *name);
/* For a primitive that runs: a stop after it is wanted, and why. False where nothing can stop. */
bool ls_session_ask_stop(const char *why);
void ls_session_stop_asked(void); /* no primitive runs: it is to be before the next one */
/* Is every primitive to be run one by one (stepping, a breakpoint that may lie inside, watch, until)? If not,
 * loops may run fused. */
bool ls_session_stepped(void);
bool ls_session_stoppable(void); /* may what runs now stop at all? */

u32 ls_session_mark(void); /* the present iteration mark, from 1; 0: none yet */
void ls_session_set_mark(u32 mark);
u64 ls_session_primitives(void); /* how many were called so far */
/* At an iteration mark, whose values are `marks` as text: is the caller to yield? The stop is noted then.
 * alone: the iteration has called no primitive, so that start, step, next and until take its end for one. */
bool ls_session_at_mark(lua_State *L, u32 mark, const char *marks, bool alone);
void ls_session_at_loop_end(void); /* the outermost loop over iterations() has ended */
/* A fixpoint begins; returns how many were entered before it, which is what its end is told. `next` runs what
 * lies between as one step: at the end, is the caller to yield? */
int ls_session_fixpoint_begin(void);
/* A loop of primitives has ended an iteration: is the caller to yield? */
bool ls_session_at_turn(lua_State *L);
bool ls_session_fixpoint_end(lua_State *L, int before, bool failed);

/* --- Ctrl-C and pauses ------------------------------------------------------------------------------- */

/* The prompt's SIGINT handler calls ls_interrupt() and this; async-signal-safe. A running algorithm stops at
 * its next primitive. A second Ctrl-C before that, or one while anything else runs, raises "interrupted"
 * (LS_EINTERRUPTED), again and again until control is back at the prompt: a pcall loop cannot swallow it.
 * Nothing happens where no Lua runs. */
void ls_session_interrupt(void);
/* The thread L, where nothing can stop, asks for the first Ctrl-C itself until ls_session_keep_end, which is
 * given what this returns: loops end their iteration, no error is raised, and ls_session_interrupted tells,
 * once. */
lua_State *ls_session_keep(lua_State *L);
void ls_session_keep_end(lua_State *L, lua_State *before);
bool ls_session_interrupted(lua_State *L);
/* Does a Ctrl-C or a pause wait for the algorithm's next primitive? */
bool ls_session_stopping(void);
/* From ls_idle: what runs is to stop at its next primitive or line; a loop that runs in one piece returns
 * early. What was typed at the prompt becomes the paused algorithm then, which `continue` and the others take
 * on. false: it cannot, since it runs beside an algorithm that stands at a stop, or nothing runs. */
bool ls_session_pause(void);
/* Is an algorithm whose error nobody catches to stand where it was raised, with its frames, the buffers and
 * the journal, or to end? At first it is to stand. */
void ls_session_stop_on_error(bool yes);
bool ls_session_stops_on_error(void);
/* Nothing stands where this C function has failed: a text that does not compile is no moment of a run. */
void ls_session_no_stop_in(lua_CFunction f);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* RUN_ITER: to an iteration mark; RUN_TURN: to one, or to the end of an iteration of a loop of primitives;
 * RUN_HEAD: to the head of the outermost loop over iterations(), where the one before has ended. */
typedef enum run_mode {
  RUN_ON,
  RUN_STEP,
  RUN_NEXT,
  RUN_ITER,
  RUN_TURN,
  RUN_FINISH,
  RUN_UNTIL,
  RUN_HEAD
} run_mode;

/* What runs as a coroutine of the session, and how far it is to go. */
typedef struct stepping {
  lua_State *co; /* NULL: none */
  int ref;       /* keeps it from the collector */
  bool stoppable;
  run_mode mode;
  u64 left;             /* steps, nexts, marks or turns to go */
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
  u64 primitives; /* called so far, */
  u64 marks;      /* iterations marked, */
  u64 turns;      /* and those of loops of primitives that have ended */
  u64 from;       /* RUN_TURN: the number of the primitive after which it began */
  records_span span;
  char text[120];
  const char *calling; /* the primitive that comes next, at a stop before it */
} stepping;

/* Who keeps what can be gone back to (past.c). */
typedef struct stops_recorder {
  void (*paused)(void);         /* a stop has been noted, and the run stands there */
  void (*passed)(lua_State *L); /* a primitive has run, and no stop came of it */
  /* at the mark of an iteration without primitives, and no stop came of it */
  void (*passed_mark)(lua_State *L, u32 mark, const char *marks);
  void (*turned)(void);            /* it was the last one of a loop's iteration */
  bool (*finished)(lua_State *co); /* the algorithm has returned: is there a recording of it? */
  void (*typed)(void);             /* what was typed at a stop has run */
  void (*ended)(void);             /* the algorithm is over */
} stops_recorder;

extern struct stops {
  stepping *present; /* what is running; NULL: nothing is */
  bool blocked;      /* somewhere below, a coroutine was resumed where no yield is possible */
  int nested;        /* user coroutines being resumed */
  const stops_recorder *recorder;
} the_stops;

void stops_open(const stops_recorder *recorder);
void stops_begin(stepping *s); /* it goes on now */
/* Fills *stop with what a stop here and now would say, but for why. */
void stops_describe(lua_State *L, ls_stop_kind kind, ls_stop *stop);
bool stops_at_error(lua_State *co); /* an error has left co as it was: it stands there, if that is of use */
bool stops_at_head(lua_State *L, u32 mark, const char *why); /* as ls_session_at_mark, unasked */

#endif
