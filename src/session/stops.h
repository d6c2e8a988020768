/* Decides when a run stops: before or after a primitive, at a line, at an iteration mark, at the end of a
 * fixpoint, or where the expression of `until` is true. */
#ifndef LS_SESSION_STOPS_H
#define LS_SESSION_STOPS_H

#include "session/raise.h"
#include "session/records.h"

/* --- for bindings ------------------------------------------------------------------------------------ */

/* A primitive's C function is `return ls_session_around(L, launch, name)`, where launch runs it and pushes
 * its results. Stops, before or after, happen here. */
int ls_session_around(lua_State *L, lua_KFunction launch, const char *name);
/* Called by a running primitive: requests a stop after it, with the reason `why`. false if the run cannot
 * stop. */
bool ls_session_ask_stop(const char *why);
/* Called when no primitive runs: the requested stop happens before the next primitive. */
void ls_session_stop_asked(void);
/* Must every primitive run separately (stepping, a breakpoint that may lie inside, watch, until)? If not, a
 * loop may run fused. */
bool ls_session_stepped(void);
bool ls_session_stoppable(void); /* can the present run stop at all? */

u32 ls_session_mark(void); /* the present iteration mark, from 1; 0: none yet */
void ls_session_set_mark(u32 mark);
u64 ls_session_primitives(void); /* primitives called so far in the present run */
/* Called at an iteration mark; `marks` is its values as text. true: the stop is recorded and the caller must
 * yield. alone: the iteration has called no primitive, so that start, step, next and until treat its end as a
 * primitive. */
bool ls_session_at_mark(lua_State *L, u32 mark, const char *marks, bool alone);
void ls_session_at_loop_end(void); /* the outermost loop over iterations() has ended */
/* A fixpoint begins; returns the number of fixpoints entered before it, which ls_session_fixpoint_end takes
 * as `before`. `next` runs a whole fixpoint as one step; ls_session_fixpoint_end returns whether the caller
 * must yield. */
int ls_session_fixpoint_begin(void);
/* An iteration of a loop of primitives has ended; returns whether the caller must yield. */
bool ls_session_at_turn(lua_State *L);
bool ls_session_fixpoint_end(lua_State *L, int before, bool failed);

/* --- Ctrl-C and pauses ------------------------------------------------------------------------------- */

/* The prompt's SIGINT handler calls ls_interrupt() and this; async-signal-safe. A running algorithm stops at
 * its next primitive. A second Ctrl-C before that, or one while anything else runs, raises "interrupted"
 * (LS_EINTERRUPTED) repeatedly until control is back at the prompt, so that a pcall loop cannot swallow it.
 * Does nothing if no Lua runs. */
void ls_session_interrupt(void);
/* If the run cannot stop, thread L handles the first Ctrl-C itself until ls_session_keep_end, which takes the
 * result of this as `before`: loops end their iteration, no error is raised, and ls_session_interrupted
 * returns true once. */
lua_State *ls_session_keep(lua_State *L);
void ls_session_keep_end(lua_State *L, lua_State *before);
bool ls_session_interrupted(lua_State *L);
/* Is the algorithm to stop at its next primitive because of Ctrl-C or ls_session_pause? */
bool ls_session_stopping(void);
/* Called from ls_idle: the present run is to stop at its next primitive or line; a fused loop returns early.
 * A line typed at the prompt thereby becomes the paused algorithm, which `continue` and the like resume.
 * false: nothing runs, or a typed line runs while an algorithm is paused. */
bool ls_session_pause(void);
/* Does an uncaught error stop the algorithm where it was raised, with frames, buffers and journal intact (the
 * default), or end it? */
void ls_session_stop_on_error(bool yes);
bool ls_session_stops_on_error(void);
/* An error raised by this C function ends the run instead of stopping it, for example because a text does not
 * compile. */
void ls_session_no_stop_in(lua_CFunction f);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* RUN_ITER: to an iteration mark; RUN_TURN: to an iteration mark or the end of an iteration of a loop of
 * primitives; RUN_HEAD: to the end of the present iteration of the outermost loop over iterations(). */
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

/* A run: a coroutine of the session, and how far it is to go. */
typedef struct stepping {
  lua_State *co; /* NULL: none */
  int ref;       /* registry reference that keeps co from being collected */
  bool stoppable;
  run_mode mode;
  u64 left;             /* steps, nexts, marks or turns to go */
  int fixpoints;        /* fixpoints entered and not ended */
  int base;             /* RUN_NEXT: fixpoints entered when the command began */
  bool pending;         /* a stop is requested and happens as soon as one is possible */
  u64 late;             /* primitives that ran since that stop was requested */
  bool at_line;         /* the pending stop may also happen at a line */
  bool stood;           /* the run has stopped before */
  bool pausing;         /* ls_session_pause has requested the pending stop */
  lua_State *returning; /* RUN_FINISH: the thread, and the frame's height from the bottom of its stack */
  int returning_height;
  int until; /* RUN_UNTIL: the compiled expression */
  u32 mark;
  u64 primitives; /* primitives called so far */
  u64 marks;      /* iterations marked so far */
  u64 turns;      /* iterations of loops of primitives ended so far */
  u64 from;       /* RUN_TURN: the number of the last primitive before the command */
  records_span span;
  char text[120];
  const char *calling; /* the primitive that comes next, at a stop before it */
} stepping;

/* Callbacks of the recorder (past.c), which records a run so that the user can go back. */
typedef struct stops_recorder {
  void (*paused)(void);         /* the run has stopped */
  void (*passed)(lua_State *L); /* a primitive has run without a stop after it */
  /* an iteration without primitives has passed its mark without a stop */
  void (*passed_mark)(lua_State *L, u32 mark, const char *marks);
  void (*turned)(void);            /* the last primitive ended an iteration of a loop of primitives */
  bool (*finished)(lua_State *co); /* the algorithm has returned: is there a recording of it? */
  void (*typed)(void);             /* a line typed at a stop has run */
  void (*ended)(void);             /* the algorithm is gone, and so is its recording */
} stops_recorder;

extern struct stops {
  stepping *present; /* what is running; NULL: nothing is */
  bool blocked;      /* a coroutine further down was resumed where no yield is possible */
  int nested;        /* user coroutines being resumed */
  const stops_recorder *recorder;
} the_stops;

void stops_open(const stops_recorder *recorder);
void stops_begin(stepping *s); /* s begins or continues */
/* Fills *stop as for a stop here and now, except `why`. */
void stops_describe(lua_State *L, ls_stop_kind kind, ls_stop *stop);
/* An error has ended co, whose stack is intact: stops there, so that the user can inspect it. false if there
 * is nothing to inspect. */
bool stops_at_error(lua_State *co);
bool stops_at_head(lua_State *L, u32 mark, const char *why); /* as ls_session_at_mark, but always stops */

#endif
