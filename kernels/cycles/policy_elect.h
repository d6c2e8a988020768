/* Finds the best of all regions, by the voting of Algorithm 5: optimum = 1 + its representative. Only regions with a new
 * best cycle take part: the mean of a region never increases, so no other region can have become the best. */
#include "cycles/policy.h"

#define POLICY_ELECT_ARGS(A, W)                                                                             \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, u32, region, "n", vertex, "n")                         \
  A(IN, u32, root, "n", link, "n") A(IN, W, p, "n") A(IN, W, q, "n") A(INOUT, u32, optimum, "1", vote, "n")
ARGS(policy_elect, POLICY_ELECT_ARGS)

QUEUE_BODY(policy_elect) {
  (void)push, (void)count;
  const u32 v = (u32)item, r = a->region[v];
  if (a->root[r] == v) LS_JOIN(vote_least_mean, W)(&a->optimum[0], r, a->p, a->q, a->root);
}
