/* The method of Dormand and Prince (1980), of order 5 with an error estimate of order 4, its step size control and its
 * interpolant of order 4 (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 1993, II.4 to II.6): the
 * formulas for one thread, and the state of a run. src/ode/dopri5.c is an independent implementation.
 *
 * A step begins with the states in `begin` and their rates in slopes[0 ..]; slopes[s*vars*cells + i] is the rate of x[i] in
 * stage s. After each accepted step the rates of stage 6 become those of stage 0. */
#ifndef ODE_DOPRI5_H
#define ODE_DOPRI5_H

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

/* The time of the next stage, as a fraction of the step. */
LS_INLINE f64 ode_dopri5_node(u32 stage) {
  switch (stage) {
  case 0: return 1.0 / 5;
  case 1: return 3.0 / 10;
  case 2: return 4.0 / 5;
  case 3: return 8.0 / 9;
  default: return 1;
  }
}

/* The mean rate that leads from the beginning of the step to the next stage. rate: the rate of this stage; k[s*apart]: that of stage s. */
LS_INLINE f64 ode_dopri5_mean(u32 stage, const f64 *k, u64 apart, f64 rate) {
  if (stage == 0) return 1.0 / 5 * rate;
  const f64 k0 = k[0];
  if (stage == 1) return 3.0 / 40 * k0 + 9.0 / 40 * rate;
  const f64 k1 = k[apart];
  if (stage == 2) return 44.0 / 45 * k0 + -56.0 / 15 * k1 + 32.0 / 9 * rate;
  const f64 k2 = k[2 * apart];
  if (stage == 3) return 19372.0 / 6561 * k0 + -25360.0 / 2187 * k1 + 64448.0 / 6561 * k2 + -212.0 / 729 * rate;
  const f64 k3 = k[3 * apart];
  if (stage == 4)
    return 9017.0 / 3168 * k0 + -355.0 / 33 * k1 + 46732.0 / 5247 * k2 + 49.0 / 176 * k3 + -5103.0 / 18656 * rate;
  return 35.0 / 384 * k0 + 500.0 / 1113 * k2 + 125.0 / 192 * k3 + -2187.0 / 6784 * k[4 * apart] + 11.0 / 84 * rate;
}

/* The error of a step divided by its length. */
LS_INLINE f64 ode_dopri5_error(const f64 *k, u64 apart, f64 rate) {
  return 71.0 / 57600 * k[0] + -71.0 / 16695 * k[2 * apart] + 71.0 / 1920 * k[3 * apart] + -17253.0 / 339200 * k[4 * apart] +
         22.0 / 525 * k[5 * apart] + -1.0 / 40 * rate;
}

/* The interpolated state within a step of length h from y to z. share: 0 to 1, the fraction of the step. */
LS_INLINE f64 ode_dopri5_between(f64 y, f64 z, const f64 *k, u64 apart, f64 h, f64 share) {
  const f64 change = z - y, bend = h * k[0] - change, rest = 1 - share;
  const f64 middle = -12715105075.0 / 11282082432 * k[0] + 87487479700.0 / 32700410799 * k[2 * apart] +
                     -10690763975.0 / 1880347072 * k[3 * apart] + 701980252875.0 / 199316789632 * k[4 * apart] +
                     -1453857185.0 / 822651844 * k[5 * apart] + 69997945.0 / 29380423 * k[6 * apart];
  return y + share * (change + rest * (bend + share * (change - h * k[6 * apart] - bend + rest * (h * middle))));
}
#endif
