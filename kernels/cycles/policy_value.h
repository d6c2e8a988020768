/* One pass of value iteration: every vertex chooses the first edge of its lightest path (ties: lowest edge index) among paths
 * with one more edge than in the previous pass. A few such passes, made before the first evaluation, find good short cycles,
 * which policy iteration would find only one after another. */
#include "cycles/policy.h"

#define POLICY_VALUE_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, d, "n")   \
  A(OUT, W, d_next, "n") A(OUT, u32, policy, "n", choice, "m")
ARGS(policy_value, POLICY_VALUE_ARGS)

SELECT(policy_value) { return (void)a, (void)v, true; }

SCORE(policy_value, W) { return (void)v, ADD(a->d[a->to[e]], a->w[e]); }

BEST_BODY(policy_value, W) {
  (void)push, (void)count;
  a->policy[v] = e;
  a->d_next[v] = e == NO_EDGE ? 0 : best;
}
