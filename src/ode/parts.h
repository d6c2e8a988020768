/* Declarations shared by the files that simulate a model of differential equations. */
#ifndef LS_ODE_PARTS_H
#define LS_ODE_PARTS_H

#include "ode/code_ops.h"
#include "ode/simulate.h"

/* The past of delayed variables: samples in ascending order of time. */
typedef struct ode_history {
  u32 count;     /* delayed variables */
  u32 *variable; /* [count], ascending */
  u64 samples, room;
  f64 *t; /* [room] */
  f64 *x; /* [room][count] */
} ode_history;

/* A tape: expressions compiled to a list of words, each an operation on at most two numbers. The operations
 * are those of ode_eval in the same order, so that results are equal bit by bit, but no tree is traversed.
 * Operations without a word are left to ode_eval. Two simple words of which the second uses the result of the
 * first are fused into one. */
typedef struct ode_word {
  u32 op;     /* an ls_code_op, or one of those in tape.c */
  u32 target; /* of a jump: index of a word */
  f64 *to;
  const f64 *a, *b;
  union {
    const f64 *c;        /* fused words: the third operand */
    const ls_term *term; /* the expression for ode_eval */
  };
} ode_word;

typedef struct ode_tape {
  u32 count, room;
  ode_word *word;
  u64 numbers;
  f64 *number; /* the constants of the expressions, then intermediate results */
  bool short_of_memory;
} ode_tape;

typedef struct ode_instants ode_instants;

/* The state of a model at one time. Must not be moved in memory: its tapes point into it. */
typedef struct ode_system {
  const ls_ode *m;
  f64 t, dt; /* dt: length of the current step, for noise */
  u64 step;  /* number of the step, from which random draws are derived */
  u64 seed;
  f64 *value; /* [m->count] */
  f64 last_t; /* the time of `last` */
  f64 *last;  /* [m->count]: the values one step ago; NULL if no equation uses them */
  u32 states;
  u32 *state; /* [states]: the variables that are states */
  f64 *scale; /* [states]: factors of the absolute tolerance */
  ode_history history;
  ode_tape functions, slopes; /* compute the variables of m->order in `value`, and the rates in `slope` */
  f64 *slope;                 /* [states] */
  /* NULL, or: should x and y, arguments `at` and `at` + 1 of a relation, be regarded as equal? */
  bool (*meets)(const ode_instants *in, const ls_term *t, u32 at, f64 x, f64 y);
  const ode_instants *instants; /* the first argument of meets */
} ode_system;

/* eval.c. The instruction that computes an operator; LS_CODE_END: it has none of its own. For MINUS it is
 * that with two arguments; for MEAN the sum, which is then divided by the number of arguments. */
ls_code_op ls_code_of(ls_op op);
/* The value of a condition is 0 or 1; where a condition is expected, any number except 0 is true. */
f64 ode_eval(const ode_system *s, const ls_term *t);
/* tape.c. Compiles a tape that stores the value of term[i] in *to[i]. The tape keeps pointers to s, its
 * values and the numbers in `to`. LS_EMEM. The caller must free t by ode_tape_free even on failure. */
ls_status ode_tape_new(ode_tape *t, const ode_system *s, u32 count, const ls_term *const *term,
                       f64 *const *to);
void ode_tape_free(ode_tape *t);
void ode_tape_run(const ode_tape *t, const ode_system *s);

/* system.c */
ls_status ode_system_new(ode_system *s, const ls_ode *m, f64 start, f64 dt,
                         u64 seed); /* sets the initial values */
void ode_system_free(ode_system *s);
void ode_scale_by_values(ode_system *s);        /* sets s->scale if no absolute tolerance is given */
void ode_functions(ode_system *s);              /* computes the algebraic variables from the current values */
void ode_rates(const ode_system *s, f64 *rate); /* computes the rates of the states from the current values */
void ode_place(ode_system *s, f64 t, const f64 *y); /* sets time and states, but not functions */
void ode_move(ode_system *s, f64 t, const f64 *y);  /* sets time and states, and computes functions */
/* Checks that the states are still finite. `before` has their values one step ago, `where` the states within
 * the step at which the cause is searched for. LS_EOVERFLOW: the message names the cause, and the system is
 * left at `where`. */
ls_status ode_finite(ode_system *s, const f64 *before, const f64 *where);
/* Checks that the rates at the current states are finite. LS_EOVERFLOW: the message names a rate that is not
 * finite, and the cause. LS_OK also if a state is not finite, because then the rates are not the cause. */
ls_status ode_rates_finite(const ode_system *s, const f64 *rate);
ls_status ode_remember(ode_system *s);                          /* stores a sample for delays */
ls_status ode_too_small(const ode_system *s, f64 h, u32 state); /* LS_EOVERFLOW: step h is too short */
/* Is is(ctx, node) false for any node of any expression? If `has` is a flag (LS_HAS_PAST), only expressions
 * with this flag are searched; if it is 0, all are. */
bool ode_uses(const ls_ode *m, u8 has, bool (*is)(void *ctx, const ls_term *t), void *ctx);

/* Is the value of the term changed only by events and jumps? */
bool ode_is_still(const ls_ode *m, const ls_term *t);

/* events.c */
typedef struct ode_pending {
  u32 event;
  f64 time;
  f64 *values; /* [assigns]: computed when triggered; NULL: to be computed when executed */
} ode_pending;

typedef struct ode_events {
  ode_system *s;
  bool *truth; /* [events]: was the trigger true? */
  ode_pending *pending;
  u32 count, room;
  f64 *scratch; /* [maximum number of assignments of an event] */
  u64 executed, draws;
} ode_events;

ls_status ode_events_new(ode_events *e, ode_system *s);
void ode_events_free(ode_events *e);
/* Evaluates the triggers, and executes the events that are due at the current time. *any: was one executed?
 */
ls_status ode_events_now(ode_events *e, bool *any);
f64 ode_events_next(const ode_events *e); /* the time of the next pending event; HUGE_VAL: none */

/* instants.c: finds times at which a trigger is true, or false, for a single instant. */
ls_status ode_instants_new(ode_system *s, bool pulses,
                           ode_instants **out); /* the caller must free *out even on failure */
void ode_instants_free(ode_instants *in);       /* NULL is fine */
void ode_instants_begin(ode_instants *in);      /* stores the current values as those before a step */
/* May a trigger have been true or false for a single instant since ode_instants_begin? */
bool ode_instants_look(ode_instants *in);
/* Called if ode_instants_look found none: a relation that was at its root may have left it since then. */
void ode_instants_pass(ode_instants *in);
/* Finds which relations have a root between two times. place(ctx, t) must move the system to time t between
 * them; the system is left at `to`. *any: has any relation a root? */
ls_status ode_instants_meet(ode_instants *in, f64 from, f64 to, ls_status (*place)(void *ctx, f64 t),
                            void *ctx, bool *any);
/* Calls ode_events_now with both sides of the relations that ode_instants_meet found regarded as equal. The
 * caller must then call ode_events_now for the triggers that hold after the instant. */
ls_status ode_instants_happen(ode_instants *in, ode_events *e, bool *any);

/* output.c: the rows of a course. */
void ode_write_row(const ode_system *s, const ls_simulation *o,
                   ls_course *c); /* appends a row with the current values */

/* fixed.c, adaptive.c */
ls_status ode_run_fixed(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c);
ls_status ode_run_adaptive(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c);

/* A method that chooses the lengths of its steps. [t0, t1] is the last step, within which states at any time
 * can be interpolated. */
typedef struct ode_stepper ode_stepper;
struct ode_stepper {
  ode_system *s;
  const ls_simulation *o;
  f64 t0, t1, longest; /* longest: the greatest length of a step */
  u64 steps, refused;
  ls_status (*begin)(ode_stepper *p);           /* starts at the system's current time and states */
  ls_status (*step)(ode_stepper *p, f64 limit); /* makes one step, not beyond limit */
  /* Repeats the last step, from t0 to at most limit. NULL: not supported by the method. */
  ls_status (*again)(ode_stepper *p, f64 limit);
  ls_status (*dense)(ode_stepper *p, f64 t, f64 *y); /* interpolates the states at time t */
  void (*free)(ode_stepper *p);
};
ls_status ode_dopri5_new(ode_system *s, const ls_simulation *o, ode_stepper **out);
ls_status ode_cvode_new(ode_system *s, const ls_simulation *o, ode_stepper **out);

#endif
