/* Sequential simulation of a model of ordinary differential equations: the engine of a single run on a CPU
 * (engine = "reference"), with which engines for many threads are compared. */
#ifndef LS_ODE_SIMULATE_H
#define LS_ODE_SIMULATE_H

#include "ode/model.h"
#include "ode/stream.h"

/* EULER and RK4 take steps of fixed length and sum up the time (t += dt), as Flint does; events are handled
 * between steps. DOPRI5 (Dormand and Prince 1980, with the interpolant of Hairer, Norsett and Wanner 1993,
 * II.6) and CVODE (BDF of SUNDIALS, for stiff models) choose the lengths of their steps, and locate the times
 * at which events fire and conditions change. */
typedef enum ls_method { LS_EULER, LS_RK4, LS_DOPRI5, LS_CVODE, LS_METHODS } ls_method;
const char *ls_method_name(ls_method m); /* "euler" */
bool ls_method_built(ls_method m);       /* false for CVODE in a build without SUNDIALS */

typedef struct ls_column {
  u32 variable;
  ls_quantity quantity; /* for a species: amount or concentration; PLAIN: the value as stored */
} ls_column;

typedef struct ls_simulation {
  f64 start, stop; /* start < stop */
  u64 intervals;   /* rows are written at start and after each interval; > 0 */
  ls_method method;
  f64 dt;         /* EULER and RK4: > 0; if it does not divide an interval, shorter steps are used */
  f64 rtol, atol; /* DOPRI5 and CVODE: rtol > 0, atol >= 0. For a state that is an amount, atol refers to its
                     concentration. atol = 0: for each state 0.001 * rtol * min(1, its initial value), or, if
                     that value is 0, the least initial value that is not 0 */
  u64 seed;
  u32 columns;
  const ls_column *column;
  ls_stream
      *stream; /* if not NULL, rows (time, then the columns) go there; the course keeps only the last row */
} ls_simulation;

typedef struct ls_course {
  u64 rows;
  u32 columns;
  f64 *t;  /* [rows], from ls_malloc, as is each column */
  f64 **x; /* [columns][rows] */
  f64 dt;  /* the length of the steps; 0: chosen by the method */
  u64 steps, refused, events;
  f64 reached;      /* the time at which the simulation ended */
  u64 kept;         /* rows that t and x have room for */
  f64 *line;        /* [1 + columns]: a row for the stream */
  ls_status failed; /* the status of the stream */
} ls_course;

/* LS_EINPUT if the model cannot be simulated with these options; LS_EOVERFLOW if a value is no longer finite
 * or the step becomes too small: the message has the time, the variable and its equation. LS_EINTERRUPTED:
 * out has the rows so far. LS_EMEM. The caller must free out by ls_course_free even on failure. */
ls_status ls_ode_simulate(ls_ode *m, const ls_simulation *s, ls_course *out);
void ls_course_free(ls_course *c);

/* The initial values and the past of a simulation with a given step and seed, for other engines. */
typedef struct ls_beginning {
  f64 *value;    /* [m->count] */
  u32 delayed;   /* number of variables whose past is used */
  u32 *variable; /* [delayed], ascending */
  u64 samples;   /* number of samples of the past, in ascending order of time; the last is at `start` */
  f64 *t;        /* [samples] */
  f64 *x;        /* [samples][delayed] */
} ls_beginning;
/* The caller must free b by ls_beginning_free even on failure. */
ls_status ls_ode_begin(ls_ode *m, f64 start, f64 dt, u64 seed, ls_beginning *b);
void ls_beginning_free(ls_beginning *b);

/* The initial values of all variables at time `start`: value f64[m->count]. */
ls_status ls_ode_first_values(ls_ode *m, f64 start, f64 *value);

/* *out: can a trigger be true, or false, for a single instant only, as an equality can? LS_EMEM. */
ls_status ls_ode_has_instants(const ls_ode *m, bool *out);

/* The times at which conditions in equations change, for conditions that depend only on time; for engines
 * that choose the lengths of their steps. A condition changes between times before[i] and after[i], which are
 * adjacent floating-point numbers. Both arrays ascend. A pulse shorter than 1/100,000 of the time span
 * (1/2,000 if there are very many conditions) may be missed. */
typedef struct ls_breaks {
  u64 count;
  f64 *before, *after;
  bool conditions; /* do equations contain any conditions, including those that depend on states? */
} ls_breaks;
/* LS_EINPUT, LS_EMEM, LS_EINTERRUPTED; the caller must free out by ls_breaks_free even on failure. */
ls_status ls_ode_breaks(ls_ode *m, f64 start, f64 stop, ls_breaks *out);
void ls_breaks_free(ls_breaks *b);

#endif
