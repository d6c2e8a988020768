/* For every region with a new best cycle, sets lambda to the mean of the cycle and `root` to its smallest vertex:
 * Barnat et al. 2011, Algorithm 3 lines 8 and 9, in all regions at once. Also sets crown[v] for all vertices on
 * cycles. The least weight (`bound`) is a lower bound of every mean: a mean that is equal to the least weight is
 * optimal, and the search ends (`attained`). */
#include "cycles/policy.h"

#define POLICY_LAMBDA_ARGS(A, W)                                                                            \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, u32, region, "n", vertex, "n")                           \
  A(IN, u32, least, "n", vertex, "n") A(IN, W, cost, "n") A(IN, W, time, "n")                               \
  A(IN, u32, best, "n", vote, "n") A(INOUT, u32, root, "n", link, "n") A(INOUT, u32, crown, "n")            \
  A(INOUT, W, p, "n") A(INOUT, W, q, "n") A(IN, W, bound, "1") A(INOUT, u32, attained, "1")                 \
  A(COUNT, u32, regions, "1")
ARGS(policy_lambda, POLICY_LAMBDA_ARGS)

QUEUE_BODY(policy_lambda) {
  (void)push;
  const u32 v = (u32)item, r = a->region[v];
  a->crown[v] = a->least[v];
  if (a->least[v] != v || a->best[r] != v + 1) return;
  LS_JOIN(lambda, W)(a->cost[v], a->time[v], &a->p[r], &a->q[r]);
  a->root[r] = v;
  count->regions++;
  if (COMPARE_MEANS(a->cost[v], a->time[v], a->bound[0], (W)1) <= 0) store_relaxed(a->attained, 1u);
}
