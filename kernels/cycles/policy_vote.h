/* Finds the best cycle of every region by voting: Barnat et al. 2011, Algorithm 5. The cell holds 1 + the smallest vertex
 * of the cycle (0: none), not its mean. Among cycles of equal mean, the one with the smallest vertex wins. */
#include "cycles/policy.h"

#define POLICY_VOTE_ARGS(A, W)                                                                              \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, u32, region, "n", vertex, "n")                           \
  A(IN, u32, least, "n", vertex, "n") A(IN, W, cost, "n") A(IN, W, time, "n")                               \
  A(INOUT, u32, best, "n", vote, "n") A(COUNT, u32, cycles, "1")
ARGS(policy_vote, POLICY_VOTE_ARGS)

QUEUE_BODY(policy_vote) {
  (void)push;
  const u32 v = (u32)item;
  if (a->least[v] != v) return;
  count->cycles++;
  LS_JOIN(vote_least_mean, W)(&a->best[a->region[v]], v, a->cost, a->time, LS_NO_ARRAY(const u32));
}
