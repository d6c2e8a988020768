/* Instructions that depend on more than their operands: the past of a variable, and random numbers. A draw is a hash of
 * the seed, the operator's stream and the step (src/core/random.h has the mixing), so that all engines draw the same. */
#ifndef ODE_TIMED_H
#define ODE_TIMED_H

/* The samples of delayed variables: past[(sample*delayed + column)*cells + cell], at past_time[sample]. */
#define ODE_TIMED_ARGS(A)                                                                                   \
  A(IN, u64, clock, "6") A(IN, f64, past_time, "kept") A(IN, f64, past, "kept*delayed*cells")              \
  A(VALUE, u32, kept, "1") A(VALUE, u32, delayed, "1")

typedef struct ode_moment {
  const u64 *clock;
  const f64 *past_time, *past;
  u32 kept, delayed;
  u32 late; /* of the samples that the steps have made, so many are not looked at */
} ode_moment;

/* --- the past -------------------------------------------------------------------------------------------- */

/* now: the variable's present value; t: the present time; tau: how long ago. */
LS_CODE_CALL f64 ode_delayed(const ode_moment *m, u32 cells, u32 cell, u32 column, f64 now, f64 t, f64 tau) {
  u64 samples = m->clock[LS_CLOCK_BEFORE] + m->clock[LS_CLOCK_STEP];
  samples = samples > m->late ? samples - m->late : 0;
  if (samples > m->kept) samples = m->kept;
  if (!samples || column >= m->delayed) return now;
  const f64 *x = m->past + (u64)column * cells + cell, *time = m->past_time;
  const u64 stride = (u64)m->delayed * cells;
  const f64 at = t - tau;
  if (at <= time[0]) return x[0];
  u64 from = 0, to = samples;
  while (to - from > 1) {
    const u64 middle = from + (to - from) / 2;
    if (time[middle] <= at)
      from = middle;
    else
      to = middle;
  }
  const bool inside = from + 1 < samples;
  const f64 before = x[from * stride], t1 = inside ? time[from + 1] : t, after = inside ? x[(from + 1) * stride] : now;
  if (!(t1 > time[from])) return before;
  const f64 share = (at - time[from]) / (t1 - time[from]);
  if (m->clock[LS_CLOCK_NEAREST] && inside) return share < 0.5 ? before : after;
  return before + share * (after - before);
}

/* --- draws ----------------------------------------------------------------------------------------------- */

LS_INLINE u64 ode_mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
LS_INLINE u64 ode_key(u64 seed, u32 use) { return ode_mix(ode_mix(seed + 0x9e3779b97f4a7c15ull) + use); }
LS_INLINE u64 ode_hash(u64 key, u64 number) { return ode_mix(key + (number + 1) * 0x9e3779b97f4a7c15ull); }
/* Below n, from 0 on: the upper half of a product. */
LS_INLINE u64 ode_below(u64 draw, u32 n) { return ((draw >> 32) * n + ((draw & 0xffffffffu) * n >> 32)) >> 32; }
/* Cells draw apart; the first one as a model of one cell does. */
LS_INLINE u64 ode_seed(const u64 *clock, u32 cell) {
  return cell ? ode_mix(clock[LS_CLOCK_SEED] + cell) : clock[LS_CLOCK_SEED];
}

typedef struct ode_draws {
  u64 key, number;
} ode_draws;

LS_INLINE f64 ode_uniform(ode_draws *d) { /* 0 < x < 1 */
  return ((f64)(ode_hash(d->key, d->number++) >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}
LS_CODE_CALL f64 ode_normal(ode_draws *d) { /* Box and Muller 1958 */
  const f64 r = sqrt(-2 * log(ode_uniform(d)));
  return r * cos(6.28318530717958647692 * ode_uniform(d));
}

/* By inversion, in parts whose probabilities do not underflow; a large mean is as good as normal. */
LS_CODE_CALL f64 ode_poisson(ode_draws *d, f64 mean) {
  f64 k = 0;
  if (!(mean >= 0)) return NAN;
  if (mean > 1048576) return fmax(0.0, round(mean + sqrt(mean) * ode_normal(d)));
  for (; mean > 0; mean -= 500) {
    const f64 part = fmin(mean, 500.0), u = ode_uniform(d);
    f64 p = exp(-part), sum = p, n = 0;
    while (u > sum && p > 0) {
      n++;
      p *= part / n;
      sum += p;
    }
    k += n;
  }
  return k;
}

LS_CODE_CALL f64 ode_gamma(ode_draws *d, f64 shape) { /* Marsaglia and Tsang 2000 */
  if (!(shape > 0) || isinf(shape)) return NAN;
  const f64 boost = shape < 1 ? pow(ode_uniform(d), 1 / shape) : 1;
  const f64 a = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * a);
  for (;;) {
    const f64 x = ode_normal(d), v = pow(1 + c * x, 3.0);
    if (v > 0 && log(ode_uniform(d)) < 0.5 * x * x + a - a * v + a * log(v)) return boost * a * v;
  }
}

/* stream: that of the operator; x and y: what it is given. */
LS_CODE_CALL f64 ode_draw(const ode_moment *m, u32 cell, u32 op, f64 stream, f64 x, f64 y) {
  const u64 use = (u64)stream;
  union {
    u64 bits;
    f64 value;
  } dt = {m->clock[LS_CLOCK_DT]};
  ode_draws d = {ode_key(ode_seed(m->clock, cell) ^ (use >> 32) << 56, (u32)use), m->clock[LS_CLOCK_STEP] * 1024};
  switch (op) {
  case LS_CODE_WIENER: return ode_normal(&d) / sqrt(dt.value);
  case LS_CODE_UNIFORM: return x + ode_uniform(&d) * (y - x);
  case LS_CODE_GAUSS: return x + y * ode_normal(&d);
  case LS_CODE_EXPONENTIAL: return -log(ode_uniform(&d)) / x;
  case LS_CODE_POISSON: return ode_poisson(&d, x);
  case LS_CODE_GAMMA: return y * ode_gamma(&d, x);
  case LS_CODE_LOGNORMAL: return exp(x + y * ode_normal(&d));
  case LS_CODE_WEIBULL: return x * pow(-log(ode_uniform(&d)), 1 / y);
  default: return NAN;
  }
}

/* An instruction with its operands, as they were put on the stack; t: the present time. */
LS_INLINE f64 ode_timed(const ode_moment *m, u32 cells, u32 cell, f64 t, u32 op, f64 x, f64 y, f64 z) {
  if (op == LS_CODE_DELAY) return ode_delayed(m, cells, cell, (u32)x, y, t, z);
  return ode_draw(m, cell, op, x, y, z);
}
LS_INLINE u32 ode_timed_operands(u32 op) {
  return op == LS_CODE_WIENER ? 1 : op == LS_CODE_EXPONENTIAL || op == LS_CODE_POISSON ? 2 : 3;
}
#endif
