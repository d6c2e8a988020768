/* Operators whose value depends on more than their arguments: past values of a variable, and random numbers.
 * Shared by all engines, so it compiles for CPU and GPU. */
#ifndef LS_ODE_TIMED_H
#define LS_ODE_TIMED_H

#include "core/counter_random.h"
#include "ode/code_ops.h"

/* Samples of a function of time; t ascends. Sample i has the value x[i * stride]. */
typedef struct ls_samples {
  const f64 *t, *x;
  u64 count, stride; /* count > 0 */
  bool nearest;      /* takes the nearer of two samples (PHML) instead of interpolating */
} ls_samples;

/* The value at time `at`: that of the first sample before it, and after the last sample interpolated between
 * that and the value x_now at time `now`. */
LS_CODE_INLINE f64 ls_sampled(const ls_samples *s, f64 at, f64 now, f64 x_now) {
  if (at <= s->t[0]) return s->x[0];
  u64 from = 0, to = s->count;
  while (to - from > 1) {
    const u64 middle = from + (to - from) / 2;
    const bool after_it = s->t[middle] <= at;
    from = after_it ? middle : from;
    to = after_it ? to : middle;
  }
  const bool inside = from + 1 < s->count;
  const f64 before = s->x[from * s->stride], after = inside ? s->x[(from + 1) * s->stride] : x_now;
  const f64 t0 = s->t[from], t1 = inside ? s->t[from + 1] : now;
  if (!(t1 > t0)) return before;
  const f64 share = (at - t0) / (t1 - t0);
  if (s->nearest && inside) return share < 0.5 ? before : after;
  return before + share * (after - before);
}

/* A random number of instruction `op` with parameters x and y. It is a hash of the seed, the operator (of:
 * its ls_op), its stream and the number of the step, so that a simulation can be repeated, and engines that
 * compute in another order make the same draws. */
LS_CODE_CALL f64 ls_drawn(u32 op, u64 seed, u64 of, u32 stream, u64 step, f64 dt, f64 x, f64 y) {
  enum { A_STEP = 1024 }; /* numbers that are reserved for the draws of one step */
  ls_draws d = {ls_key(seed ^ of << 56, stream), step * A_STEP};
  switch (op) {
  case LS_CODE_WIENER: return ls_draw_normal(&d) / sqrt(dt);
  case LS_CODE_UNIFORM: return x + ls_draw_uniform(&d) * (y - x);
  case LS_CODE_GAUSS: return x + y * ls_draw_normal(&d);
  case LS_CODE_EXPONENTIAL: return -log(ls_draw_uniform(&d)) / x;
  case LS_CODE_POISSON: return ls_draw_poisson(&d, x);
  case LS_CODE_GAMMA: return y * ls_draw_gamma(&d, x);
  case LS_CODE_LOGNORMAL: return exp(x + y * ls_draw_normal(&d));
  case LS_CODE_WEIBULL: return x * pow(-log(ls_draw_uniform(&d)), 1 / y);
  default: return NAN;
  }
}

#endif
