/* Makes the first policy: every vertex chooses its edge of least weight (ties: lowest edge index); d becomes that weight. The
 * least of all weights (bound) is a lower bound of every mean. */
#include "cycles/policy.h"

#define POLICY_FIRST_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(OUT, u32, policy, "n", choice, "m")               \
  A(OUT, W, d, "n") A(INOUT, W, bound, "1")
ARGS(policy_first, POLICY_FIRST_ARGS)

SELECT(policy_first) { return (void)a, (void)v, true; }

SCORE(policy_first, W) { return (void)v, a->w[e]; }

BEST_BODY(policy_first, W) {
  (void)push, (void)count;
  a->policy[v] = e; /* NO_EDGE if v has no edge */
  a->d[v] = e == NO_EDGE ? 0 : best;
  if (e != NO_EDGE) reduce_min(a->bound, best);
}
