/* One pass of value iteration: every vertex chooses the edge with which the path before it, of one edge more than in the
 * last pass, weighs least (ties: the lowest edge). A few of them before the first evaluation find the cycles of a few
 * edges, which policy iteration would come to one after the other. */
#include "policy/policy.h"

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
