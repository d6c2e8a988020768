/* Simulation of a model of ordinary differential equations, one expression after the other: the reference
 * that faster engines are held against. */
#ifndef LS_REFERENCE_ODE_H
#define LS_REFERENCE_ODE_H

#include "model/ode/ode.h"
#include "model/ode/stream.h"

/* EULER and RK4 take steps of one length, over which time is summed (t += dt), as Flint does; events are
 * looked at between steps. DOPRI5 (Dormand and Prince 1980, with the interpolant of Hairer, Norsett and
 * Wanner 1993, II.6) and CVODE (BDF of SUNDIALS, for stiff models) choose their steps, and find the times at
 * which events fire and conditions change. */
typedef enum ls_method { LS_EULER, LS_RK4, LS_DOPRI5, LS_CVODE, LS_METHODS } ls_method;
const char *ls_method_name(ls_method m); /* "euler" */
bool ls_method_built(ls_method m);       /* CVODE may be missing */

typedef struct ls_column {
  u32 variable;
  ls_quantity quantity; /* what of a species; PLAIN: its value */
} ls_column;

typedef struct ls_simulation {
  f64 start, stop; /* start < stop */
  u64 intervals;   /* rows are written at start and after each of them; > 0 */
  ls_method method;
  f64 dt;         /* of EULER and RK4, > 0; a shorter one is taken where it does not divide an interval */
  f64 rtol, atol; /* of DOPRI5 and CVODE, > 0; atol is a concentration's, where a state is an amount; 0: of
                     each state a thousandth of rtol, times its first value, or the least of these where that
                     is 0, but at most times 1 */
  u64 seed;
  u32 columns;
  const ls_column *column;
  ls_stream
      *stream; /* NULL, or where rows go, time first, then the columns: the course has the last row alone */
} ls_simulation;

typedef struct ls_course {
  u64 rows;
  u32 columns;
  f64 *t;  /* [rows], ls_malloc's, as is each column */
  f64 **x; /* [columns][rows] */
  f64 dt;  /* the step that was taken; 0: chosen by the method */
  u64 steps, refused, events;
  f64 reached;      /* the time at which it ended */
  u64 kept;         /* rows that t and x have room for */
  f64 *line;        /* [1 + columns]: a row for the stream */
  ls_status failed; /* of the stream */
} ls_course;

/* LS_EINPUT where the model cannot be simulated so; LS_EOVERFLOW where a value is no longer finite or the
 * step becomes too small: the message has the time, the variable and its equation. LS_EINTERRUPTED: out
 * has the rows so far. LS_EMEM. out is to be freed by ls_course_free whatever comes back. */
ls_status ls_ode_simulate(ls_ode *m, const ls_simulation *s, ls_course *out);
void ls_course_free(ls_course *c);

/* What a simulation with steps of dt and that seed begins with, for other engines. */
typedef struct ls_beginning {
  f64 *value;    /* [m->count] */
  u32 delayed;   /* variables whose past is asked for */
  u32 *variable; /* [delayed], ascending */
  u64 samples;   /* of them, in ascending order of time; the last is at `start` */
  f64 *t;        /* [samples] */
  f64 *x;        /* [samples][delayed] */
} ls_beginning;
/* b is to be freed by ls_beginning_free whatever comes back. */
ls_status ls_ode_begin(ls_ode *m, f64 start, f64 dt, u64 seed, ls_beginning *b);
void ls_beginning_free(ls_beginning *b);

/* The first values of all variables at time `start`: value f64[m->count]. */
ls_status ls_ode_first_values(ls_ode *m, f64 start, f64 *value);

/* *out: may a trigger be true, or false, at one instant alone, as that of an equality is? LS_EMEM. */
ls_status ls_ode_has_instants(const ls_ode *m, bool *out);

/* When conditions in equations that depend on time alone change, for engines that choose their steps: what
 * held up to before[i] changes at after[i], the next number. Both ascend. A pulse that is shorter than a
 * 100,000th of the time (a 2,000th where there are very many conditions) may be missed. */
typedef struct ls_breaks {
  u64 count;
  f64 *before, *after;
  bool conditions; /* are there any, of states too? */
} ls_breaks;
/* LS_EINPUT, LS_EMEM, LS_EINTERRUPTED; out is to be freed by ls_breaks_free whatever comes back. */
ls_status ls_ode_breaks(ls_ode *m, f64 start, f64 stop, ls_breaks *out);
void ls_breaks_free(ls_breaks *b);

#endif
