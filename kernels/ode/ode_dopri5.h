/* The method of Dormand and Prince (src/ode/dopri5.h) in kernels: the state of a run, and formulas for one thread.
 *
 * A step begins with the states in `begin` and their rates in slopes[0 ..]; slopes[s*vars*cells + i] is the rate of x[i] in
 * stage s. After each accepted step the rates of stage 6 become those of stage 0. */
#ifndef ODE_DOPRI5_H
#define ODE_DOPRI5_H

#include "ode/dopri5.h"

/* Elements of pace: the time; the time at which the last accepted step began; the length of the next step; the time that no
 * step may exceed; the greatest length of a step; the times of the first and the last row; relative and absolute tolerance. */
enum ode_pace {
  ODE_PACE_TIME,
  ODE_PACE_BEFORE,
  ODE_PACE_LENGTH,
  ODE_PACE_LIMIT,
  ODE_PACE_LONGEST,
  ODE_PACE_START,
  ODE_PACE_STOP,
  ODE_PACE_RTOL,
  ODE_PACE_ATOL
};
/* Elements of progress: the next row to be recorded; the row that is first in `record`; the last row; 1 after a rejected
 * attempt; 1 while the length of the first step is being determined; 1 after a failure: the step size became too small. */
enum ode_progress {
  ODE_AT_ROW,
  ODE_FIRST_ROW,
  ODE_LAST_ROW,
  ODE_REJECTED,
  ODE_FRESH,
  ODE_FAILED
};

#define ODE_PACE_ARGS(A) A(IN, f64, pace, "9") A(IN, u32, progress, "6")

/* Arguments that give the places of the states among the variables. */
#define ODE_STATE_ARGS(A) \
  A(IN, u32, state_of, "states", index, "vars") A(VALUE, u32, states, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1")
/* The index in x of the i-th of all states of all cells. */
#define ODE_STATE_AT(a, i) ((u64)(a)->state_of[(i) / (a)->cells] * (a)->cells + (i) % (a)->cells)

/* The length of the attempted step. *last: does the step end at the limit? */
LS_INLINE f64 ode_length(const f64 *pace, bool *last) {
  const f64 t = pace[ODE_PACE_TIME], limit = pace[ODE_PACE_LIMIT];
  const f64 wanted = fmin(pace[ODE_PACE_LENGTH], pace[ODE_PACE_LONGEST]);
  *last = t + wanted >= limit - 1e-12 * fabs(limit);
  return *last ? limit - t : wanted;
}

LS_INLINE f64 ode_row_time(const f64 *pace, const u32 *progress, u32 row) {
  const f64 start = pace[ODE_PACE_START], stop = pace[ODE_PACE_STOP];
  return row == progress[ODE_LAST_ROW] ? stop : start + (stop - start) * ((f64)row / (f64)progress[ODE_LAST_ROW]);
}

/* The allowed error of a state. */
LS_INLINE f64 ode_allowed(const f64 *pace, f64 scale, f64 x, f64 y) {
  return pace[ODE_PACE_ATOL] * scale + pace[ODE_PACE_RTOL] * fmax(fabs(x), fabs(y));
}
#endif
