/* The best cycle of every region: Barnat et al. 2011, Algorithm 5. What is exchanged is the index of the cycle
 * (its smallest vertex + 1; 0: none), not its mean; equal means go to the smallest vertex. */
#include "policy/policy.h"

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
  LS_JOIN(vote, W)(&a->best[a->region[v]], v, a->cost, a->time, NULL);
}
