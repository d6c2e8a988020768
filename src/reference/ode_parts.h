/* Between the files of the reference engine for differential equations. */
#ifndef LS_REFERENCE_ODE_PARTS_H
#define LS_REFERENCE_ODE_PARTS_H

#include "reference/ode.h"

/* What delayed variables were: samples in ascending order of time. */
typedef struct ode_history {
  u32 count;     /* delayed variables */
  u32 *variable; /* [count], ascending */
  u64 samples, room;
  f64 *t; /* [room] */
  f64 *x; /* [room][count] */
} ode_history;

/* Expressions as a list of words, an operation of at most two numbers each: the operations of ode_eval in its
 * order, so that values have its bits, without a walk over the tree. What has no word of its own is left to
 * ode_eval. Two words of which the second goes on with the first one's result are one, where both are simple.
 */
typedef struct ode_word {
  u32 op;     /* ls_op, or one of ode_tape.c's */
  u32 target; /* of a jump */
  f64 *to;
  const f64 *a, *b;
  union {
    const f64 *c;        /* of two in one */
    const ls_term *term; /* for ode_eval */
  };
} ode_word;

typedef struct ode_tape {
  u32 count, room;
  ode_word *word;
  u64 numbers;
  f64 *number; /* the expressions' numbers, then results in between */
  bool short_of_memory;
} ode_tape;

typedef struct ode_instants ode_instants;

/* A model at a time. */
typedef struct ode_system { /* stays where it is: its tapes point into it */
  const ls_ode *m;
  f64 t, dt; /* dt: of the present step, for noise */
  u64 step;  /* numbers the draws */
  u64 seed;
  f64 *value; /* [m->count] */
  f64 last_t; /* with last */
  f64 *last;  /* [m->count], one step ago; NULL where nothing asks for it */
  u32 states;
  u32 *state; /* [states]: the variables that are */
  f64 *scale; /* [states]: what the absolute tolerance is multiplied by */
  ode_history history;
  ode_tape functions, slopes; /* the equations of m->order, into value; of the states, into slope */
  f64 *slope;                 /* [states] */
  /* NULL, or: are these, argument `at` of a relation and the next one, taken as equal? */
  bool (*meets)(const ode_instants *in, const ls_term *t, u32 at, f64 x, f64 y);
  const ode_instants *instants; /* with meets */
} ode_system;

/* ode_eval.c. A condition's value is 0 or 1; any other number but 0 is true too. */
f64 ode_eval(const ode_system *s, const ls_term *t);
f64 ode_apply_one(ls_op op, f64 x); /* an operator of one argument, but MINUS */
f64 ode_apply_two(ls_op op, f64 x, f64 y);
/* ode_tape.c: to[i] is where the value of term[i] goes. s, its values and `to` must stay where they are.
 * LS_EMEM. t is to be freed by ode_tape_free whatever comes back. */
ls_status ode_tape_new(ode_tape *t, const ode_system *s, u32 count, const ls_term *const *term,
                       f64 *const *to);
void ode_tape_free(ode_tape *t);
void ode_tape_run(const ode_tape *t, const ode_system *s);
/* ode_random.c: the draw of a random operator in the present step; arg are its arguments' values. */
f64 ode_draw(const ode_system *s, const ls_term *t, const f64 *arg);

/* ode_system.c */
ls_status ode_system_new(ode_system *s, const ls_ode *m, f64 start, f64 dt,
                         u64 seed); /* with the first values */
void ode_system_free(ode_system *s);
void ode_scale_by_values(ode_system *s);        /* s->scale, of the absolute tolerance that is not given */
void ode_functions(ode_system *s);              /* algebraic variables, from the present values */
void ode_rates(const ode_system *s, f64 *rate); /* of the states, from the present values */
void ode_place(ode_system *s, f64 t, const f64 *y); /* functions stay as they are */
void ode_move(ode_system *s, f64 t, const f64 *y);  /* to a time and states; functions too */
/* Are the states still finite? before: as they were a step ago; where: states of the step at which the cause
 * is looked for. LS_EOVERFLOW says where it began; the system is then at those. */
ls_status ode_finite(ode_system *s, const f64 *before, const f64 *where);
/* Are the rates, of the present states, finite? LS_EOVERFLOW says which is not, and where it began. LS_OK
 * where states are not finite either. */
ls_status ode_rates_finite(const ode_system *s, const f64 *rate);
ls_status ode_remember(ode_system *s);                          /* a sample for delays */
ls_status ode_too_small(const ode_system *s, f64 h, u32 state); /* the step: LS_EOVERFLOW */
/* Is `is` false for any node of any expression? has: what an expression has where that may be (LS_HAS_PAST);
 * 0: all are looked at. */
bool ode_uses(const ls_ode *m, u8 has, bool (*is)(void *ctx, const ls_term *t), void *ctx);

/* Does the value of the term change by events and jumps alone? */
bool ode_is_still(const ls_ode *m, const ls_term *t);

/* ode_events.c */
typedef struct ode_pending {
  u32 event;
  f64 time;
  f64 *values; /* [assigns]: computed when triggered; NULL: computed when executed */
} ode_pending;

typedef struct ode_events {
  ode_system *s;
  bool *truth; /* by event */
  ode_pending *pending;
  u32 count, room;
  f64 *scratch; /* as many as the largest event has assignments */
  u64 executed, draws;
} ode_events;

ls_status ode_events_new(ode_events *e, ode_system *s);
void ode_events_free(ode_events *e);
/* Notes triggers that changed and executes what is due at the present time. *any: something was executed. */
ls_status ode_events_now(ode_events *e, bool *any);
f64 ode_events_next(const ode_events *e); /* the time of the next pending one; HUGE_VAL: none */

/* ode_instants.c: times at which a trigger is true, or false, for an instant. */
ls_status ode_instants_new(ode_system *s, bool pulses,
                           ode_instants **out); /* to be freed whatever comes back */
void ode_instants_free(ode_instants *in);       /* NULL is fine */
void ode_instants_begin(ode_instants *in);      /* the present values are those before a step */
/* Has there been one since then, up to the present time? */
bool ode_instants_look(ode_instants *in);
/* There has been none up to the last look, at which what was at its root may have left it. */
void ode_instants_pass(ode_instants *in);
/* Finds which relations have a root between two times; place(ctx, t) moves the system to a time between them,
 * and leaves it at the later one. *any: one has. */
ls_status ode_instants_meet(ode_instants *in, f64 from, f64 to, ls_status (*place)(void *ctx, f64 t),
                            void *ctx, bool *any);
/* ode_events_now at these roots; ode_events_now for what holds after them is up to the caller. */
ls_status ode_instants_happen(ode_instants *in, ode_events *e, bool *any);

/* ode_output.c: the rows of a course. */
ls_status ode_course_new(ls_course *c, const ls_simulation *o);
void ode_write_row(const ode_system *s, const ls_simulation *o,
                   ls_course *c); /* the next one, of the present values */

/* ode_fixed.c, ode_adaptive.c */
ls_status ode_run_fixed(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c);
ls_status ode_run_adaptive(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c);

/* A method that chooses its steps. Between t0 and t1, the last step, states can be asked for at any time. */
typedef struct ode_stepper ode_stepper;
struct ode_stepper {
  ode_system *s;
  const ls_simulation *o;
  f64 t0, t1, longest; /* longest: a bound of the step's length */
  u64 steps, refused;
  ls_status (*begin)(ode_stepper *p);           /* from the system's present time and states */
  ls_status (*step)(ode_stepper *p, f64 limit); /* one step, not beyond limit */
  /* The last step once more, from t0 to at most limit. NULL: the method has no such thing. */
  ls_status (*again)(ode_stepper *p, f64 limit);
  ls_status (*dense)(ode_stepper *p, f64 t, f64 *y);
  void (*free)(ode_stepper *p);
};
ls_status ode_dopri5_new(ode_system *s, const ls_simulation *o, ode_stepper **out);
ls_status ode_cvode_new(ode_system *s, const ls_simulation *o, ode_stepper **out);

#endif
