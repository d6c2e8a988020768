/* Sets the choice of the vertices that policy_border and policy_connect have reached: the edge to the lowest layer (ties:
 * lowest edge index). */
#include "cycles/policy.h"

#define POLICY_ADOPT_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, layer, "n")              \
  A(INOUT, u32, policy, "n", choice, "m") A(COUNT, u32, adopted, "1")
ARGS(policy_adopt, POLICY_ADOPT_ARGS)

SELECT(policy_adopt) { return a->layer[v] != 0 && a->layer[v] != UNREACHED; }

SCORE(policy_adopt, u32) { return (void)v, a->layer[a->to[e]]; }

BEST_BODY(policy_adopt, u32) {
  (void)push;
  if (e == NO_EDGE || best == UNREACHED) return;
  a->policy[v] = e;
  count->adopted++;
}
