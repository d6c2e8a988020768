/* Computes one layer of values, backward along the policy graph: Barnat et al. 2011, Algorithm 4 (valuePropagate;
 * Algorithm 3 line 14). The queue is the active layer.
 *
 * paper errs: 000, Algorithm 4, line 14: every vertex with a predecessor other than the source sets fixPoint to false in every
 * pass, so the passes never end. Here only the vertices of the layer that the previous pass has reached propagate. */
#include "cycles/policy_preds.h"

#define POLICY_PROPAGATE_ARGS(A, W)                                                                         \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, u32, to, "m", vertex, "n")   \
  A(IN, W, w, "m") A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, region, "n", vertex, "n")      \
  A(IN, W, p, "n") A(IN, W, q, "n") A(INOUT, u32, layer, "n") A(IN, u32, policy, "n", choice, "m")   \
  A(IN, u32, preds, "n") A(IN, u32, first_pred, "n") A(VALUE, u32, summary, "1") A(INOUT, W, d, "n")        \
  A(INOUT, u32, overflow, "1") A(QIN, u32, front, "n+1", vertex_queue, "n")                                 \
  A(QOUT, u32, front_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(policy_propagate, POLICY_PROPAGATE_ARGS)

QUEUE_BODY(policy_propagate) {
  const u32 v = (u32)item, r = a->region[v];
  EACH_PRED(a, v, k) {
    const u32 u = a->rto[k], e = a->policy[u];
    if (load_cached(&a->layer[u]) != UNREACHED || !atomic_cas(&a->layer[u], UNREACHED, 1)) continue; /* each vertex once */
    W sum = ADD(a->d[v], LENGTH(r, e));
    if (TOO_LARGE(sum)) {
      store_relaxed(a->overflow, 1u);
      sum = 0;
    }
    a->d[u] = sum;
    count->grown++;
    PUSH(front_next, u);
  }
}
