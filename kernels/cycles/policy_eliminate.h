/* One pass of elimination, which is trimming on the policy graph: eliminates a vertex if all its predecessors have been
 * eliminated, because then it is on no cycle. Barnat et al. 2011, elimination (Algorithm 3 line 5). */
#include "cycles/policy_preds.h"

#define POLICY_ELIMINATE_ARGS(A, W)                                                                         \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, u32, to, "m", vertex, "n")   \
  A(IN, u32, policy, "n", choice, "m") A(IN, u32, preds, "n") A(IN, u32, first_pred, "n")                   \
  A(VALUE, u32, summary, "1") A(INOUT, u32, gone, "n") A(COUNT, u32, eliminated, "1")
ARGS(policy_eliminate, POLICY_ELIMINATE_ARGS)

VERTEX_BODY(policy_eliminate) {
  (void)push;
  if (load_relaxed(&a->gone[v]) || a->policy[v] == NO_EDGE) return;
  EACH_PRED(a, v, k) {
    if (!load_relaxed(&a->gone[a->rto[k]])) return;
  }
  store_relaxed(&a->gone[v], 1u);
  count->eliminated++;
}
