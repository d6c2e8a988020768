/* Counter-based random numbers: each is a hash of (key, number), so that any thread can draw any number in
 * any order, all machines agree, and the reference, bytecode and translated kernels draw the same. The mixing
 * function is splitmix64's (Steele, Lea, Flood 2014). Kernels include this file too, so under NVRTC it
 * includes no system header. */
#ifndef LS_CORE_COUNTER_RANDOM_H
#define LS_CORE_COUNTER_RANDOM_H

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#include "core/types.h"

#ifdef __CUDACC__
#define LS_EVERYWHERE static __host__ __device__ __forceinline__ __attribute__((unused))
#else
#define LS_EVERYWHERE static inline __attribute__((unused))
#endif

LS_EVERYWHERE u64 ls_mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/* One key for each use of a seed; draws with different keys are independent. */
LS_EVERYWHERE u64 ls_key(u64 seed, u32 use) { return ls_mix(ls_mix(seed + 0x9e3779b97f4a7c15ull) + use); }
LS_EVERYWHERE u64 ls_draw(u64 key, u64 number) { return ls_mix(key + (number + 1) * 0x9e3779b97f4a7c15ull); }

/* A sequence of draws with one key; `number` is the number of the next draw. */
typedef struct ls_draws {
  u64 key, number;
} ls_draws;

LS_EVERYWHERE f64 ls_draw_uniform(ls_draws *d) { /* 0 < x < 1 */
  return ((f64)(ls_draw(d->key, d->number++) >> 11) + 0.5) * 0x1p-53;
}

LS_EVERYWHERE f64 ls_draw_normal(ls_draws *d) { /* Box and Muller 1958 */
  const f64 r = sqrt(-2 * log(ls_draw_uniform(d)));
  return r * cos(6.28318530717958647692 * ls_draw_uniform(d));
}

/* By inversion. A mean above 500 is split into parts, because exp(-mean) would underflow; above 2^20 a normal
 * approximation is good enough. */
LS_EVERYWHERE f64 ls_draw_poisson(ls_draws *d, f64 mean) {
  const f64 most = 500, large = 1048576;
  f64 k = 0;
  if (!(mean >= 0)) return NAN;
  if (mean > large) return fmax(0.0, round(mean + sqrt(mean) * ls_draw_normal(d)));
  for (; mean > 0; mean -= most) {
    const f64 part = fmin(mean, most), u = ls_draw_uniform(d);
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

LS_EVERYWHERE f64 ls_draw_gamma(ls_draws *d, f64 shape) { /* Marsaglia and Tsang 2000 */
  if (!(shape > 0) || isinf(shape)) return NAN;
  const f64 boost = shape < 1 ? pow(ls_draw_uniform(d), 1 / shape) : 1;
  const f64 a = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * a);
  for (;;) {
    const f64 x = ls_draw_normal(d), v = pow(1 + c * x, 3.0);
    if (v > 0 && log(ls_draw_uniform(d)) < 0.5 * x * x + a - a * v + a * log(v)) return boost * a * v;
  }
}

#endif
