/* The method of Dormand and Prince (1980), of order 5 with an error estimate of order 4, its step size
 * control and its interpolant of order 4 (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations
 * I, 1993, II.4 to II.6). Shared by the engine for one thread and by kernels, so it compiles for CPU and GPU.
 */
#ifndef LS_ODE_DOPRI5_H
#define LS_ODE_DOPRI5_H

#include "ode/code_ops.h"

/* The coefficients. F(j, a) and X(j, a): the rate of stage j, from 1 to 7, has coefficient a; F is the first
 * of a sum. LS_DOPRI5_s: the mean rate from the beginning of the step to stage s. */
#define LS_DOPRI5_2(F, X) F(1, 1.0 / 5)
#define LS_DOPRI5_3(F, X) F(1, 3.0 / 40) X(2, 9.0 / 40)
#define LS_DOPRI5_4(F, X) F(1, 44.0 / 45) X(2, -56.0 / 15) X(3, 32.0 / 9)
#define LS_DOPRI5_5(F, X) F(1, 19372.0 / 6561) X(2, -25360.0 / 2187) X(3, 64448.0 / 6561) X(4, -212.0 / 729)
#define LS_DOPRI5_6(F, X)                                                                                    \
  F(1, 9017.0 / 3168) X(2, -355.0 / 33) X(3, 46732.0 / 5247) X(4, 49.0 / 176) X(5, -5103.0 / 18656)
#define LS_DOPRI5_7(F, X)                                                                                    \
  F(1, 35.0 / 384) X(3, 500.0 / 1113) X(4, 125.0 / 192) X(5, -2187.0 / 6784) X(6, 11.0 / 84)
#define LS_DOPRI5_ERROR(F, X)                                                                                \
  F(1, 71.0 / 57600)                                                                                         \
  X(3, -71.0 / 16695) X(4, 71.0 / 1920) X(5, -17253.0 / 339200) X(6, 22.0 / 525) X(7, -1.0 / 40)
#define LS_DOPRI5_DENSE(F, X)                                                                                \
  F(1, -12715105075.0 / 11282082432)                                                                         \
  X(3, 87487479700.0 / 32700410799)                                                                          \
  X(4, -10690763975.0 / 1880347072)                                                                          \
  X(5, 701980252875.0 / 199316789632) X(6, -1453857185.0 / 822651844) X(7, 69997945.0 / 29380423)

/* Below, stages are numbered from 0, and k[j * apart] is the rate of stage j. */
#define LS_DOPRI5_FIRST(j, a) a *LS_DOPRI5_RATE(j - 1)
#define LS_DOPRI5_MORE(j, a) +a *LS_DOPRI5_RATE(j - 1)
#define LS_DOPRI5_RATE(j) ((j) == newest ? rate : k[(j)*apart])

/* The time of the stage after `stage`, as a fraction of the step. */
LS_CODE_INLINE f64 ls_dopri5_node(u32 stage) {
  switch (stage) {
  case 0: return 1.0 / 5;
  case 1: return 3.0 / 10;
  case 2: return 4.0 / 5;
  case 3: return 8.0 / 9;
  default: return 1;
  }
}

/* The mean rate that leads from the beginning of the step to the stage after `stage`, whose rate is `rate`.
 */
LS_CODE_INLINE f64 ls_dopri5_mean(u32 stage, const f64 *k, u64 apart, f64 rate) {
  const u32 newest = stage < 5 ? stage : 5;
  switch (newest) {
  case 0: return LS_DOPRI5_2(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  case 1: return LS_DOPRI5_3(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  case 2: return LS_DOPRI5_4(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  case 3: return LS_DOPRI5_5(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  case 4: return LS_DOPRI5_6(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  default: return LS_DOPRI5_7(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
  }
}

/* The error of a step divided by its length. rate: that of stage 6. */
LS_CODE_INLINE f64 ls_dopri5_error(const f64 *k, u64 apart, f64 rate) {
  enum { newest = 6 };
  return LS_DOPRI5_ERROR(LS_DOPRI5_FIRST, LS_DOPRI5_MORE);
}

/* Coefficients of the interpolant within a step of length h from state y to z. */
LS_CODE_INLINE void ls_dopri5_dense(f64 y, f64 z, const f64 *k, u64 apart, f64 h, f64 *r) {
  enum { newest = 6 };
  const f64 rate = k[6 * apart], change = z - y, bend = h * k[0] - change;
  r[0] = y;
  r[1] = change;
  r[2] = bend;
  r[3] = change - h * rate - bend;
  r[4] = h * (LS_DOPRI5_DENSE(LS_DOPRI5_FIRST, LS_DOPRI5_MORE));
}
/* The interpolated state. share: 0 to 1, the fraction of the step. */
LS_CODE_INLINE f64 ls_dopri5_between(const f64 *r, f64 share) {
  const f64 rest = 1 - share;
  return r[0] + share * (r[1] + rest * (r[2] + share * (r[3] + rest * r[4])));
}
#undef LS_DOPRI5_FIRST
#undef LS_DOPRI5_MORE
#undef LS_DOPRI5_RATE

/* --- the length of steps ----------------------------------------------------------------------------------
 */

/* The length of the step after one of length h that was accepted or rejected with error e, where 1 is
 * allowed. again: has the step been rejected before? */
LS_CODE_INLINE f64 ls_dopri5_longer(f64 h, f64 e, bool again) {
  return h * fmin(again ? 1 : 10, fmax(0.2, e > 0 ? 0.9 * pow(e, -0.2) : 10));
}
LS_CODE_INLINE f64 ls_dopri5_shorter(f64 h, f64 e) {
  return h * (isfinite(e) ? fmax(0.2, 0.9 * pow(e, -0.2)) : 0.1);
}
LS_CODE_INLINE bool ls_dopri5_is_too_short(f64 h, f64 t) {
  return h <= 4e-16 * fmax(fabs(t), 1e-300) || h < 1e-300;
}

/* The length of the first step, by which the states change little compared to the tolerance. First a guess,
 * from the size of the states and of their rates, in units of the tolerance; then the length, from the
 * greater of the size of the rates and of their change over a step of the guessed length h, divided by h. */
LS_CODE_INLINE f64 ls_dopri5_guess(f64 size, f64 speed) {
  const f64 h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  return isfinite(h) ? h : 1e-6;
}
LS_CODE_INLINE f64 ls_dopri5_first(f64 h, f64 most) {
  const f64 next = most > 1e-15 ? pow(0.01 / most, 0.2) : fmax(1e-6, h * 1e-3);
  return fmin(100 * h, isfinite(next) ? next : h);
}

#endif
