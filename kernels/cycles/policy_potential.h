/* Computes a first guess of potentials. The values d of a region are scaled by the region's q; they are converted to
 * the q of the best region: floor(q_best * d / q). Rounding down preserves inequalities between integers. A result of
 * more than 62 bits is clamped; the proof that starts from the guess repairs it. */
#include "cycles/policy.h"

#define POLICY_POTENTIAL_ARGS(A, W)                                                                         \
  A(IN, u32, region, "n", vertex, "n") A(IN, i64, d, "n") A(IN, i64, q, "n")                                \
  A(VALUE, u32, best, "1", vertex, "n") A(OUT, i64, guess, "n")
ARGS(policy_potential, POLICY_POTENTIAL_ARGS)

VERTEX_BODY(policy_potential) {
  (void)push, (void)count;
  const __int128 x = (__int128)a->q[a->best] * a->d[v], q = a->q[a->region[v]];
  __int128 y = q ? x / q : 0;
  if (q && x % q < 0) y--;
  a->guess[v] = y >= SUM_LIMIT ? SUM_LIMIT : y <= -SUM_LIMIT ? -SUM_LIMIT : (i64)y;
}
