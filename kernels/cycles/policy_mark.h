/* One layer of the backward search over the policy graph from every root: the vertices that it reaches (layer 0) keep
 * their choice. Barnat et al. 2011, markMinComponent (Algorithm 3 line 10). Every vertex tests its only successor, so
 * predecessors are not needed. */
#include "cycles/policy.h"

#define POLICY_MARK_ARGS(A, W)                                                                              \
  A(IN, u32, to, "m", vertex, "n") A(IN, u32, policy, "n", choice, "m") A(INOUT, u32, layer, "n")           \
  A(COUNT, u32, marked, "1")
ARGS(policy_mark, POLICY_MARK_ARGS)

VERTEX_BODY(policy_mark) {
  (void)push;
  if (a->policy[v] == NO_EDGE || load_relaxed(&a->layer[v]) == 0 || load_relaxed(&a->layer[a->to[a->policy[v]]]) != 0) return;
  store_relaxed(&a->layer[v], 0u);
  count->marked++;
}
