/* Computes the summary (policy.h) of the predecessors in the policy graph: Barnat et al. 2011, GpiPreprocess (Algorithm 3
 * lines 4 and 13).
 *
 * paper errs: 000, section 3.2, gPredInfo: both numbers have 16 bits, so 65536 predecessors count as none, and the index of
 * the first is wrong beyond 65535. Here each has 32 bits. */
#include "cycles/policy_preds.h"

#define POLICY_COUNT_PREDS_ARGS(A, W)                                                                       \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, u32, to, "m", vertex, "n")   \
  A(IN, u32, policy, "n", choice, "m") A(OUT, u32, preds, "n") A(OUT, u32, first_pred, "n")
ARGS(policy_count_preds, POLICY_COUNT_PREDS_ARGS)

VERTEX_BODY(policy_count_preds) {
  (void)push, (void)count;
  u32 preds = 0, first = 0;
  for (u32 k = a->roff[v]; k < a->roff[v + 1]; k++) {
    if (!IS_PRED(a, k, v)) continue;
    if (!preds++) first = k - a->roff[v];
  }
  a->preds[v] = preds;
  a->first_pred[v] = first;
}
