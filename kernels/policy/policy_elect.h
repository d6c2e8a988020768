/* The best of all regions, by the vote of Algorithm 5: optimum = the region's representative + 1. Asked are the regions
 * that have a new best cycle: a region's mean only ever falls, so no other can be better now. */
#include "policy/policy.h"

#define POLICY_ELECT_ARGS(A, W)                                                                             \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, u32, region, "n", vertex, "n")                         \
  A(IN, u32, root, "n", link, "n") A(IN, W, p, "n") A(IN, W, q, "n") A(INOUT, u32, optimum, "1", vote, "n")
ARGS(policy_elect, POLICY_ELECT_ARGS)

QUEUE_BODY(policy_elect) {
  (void)push, (void)count;
  const u32 v = (u32)item, r = a->region[v];
  if (a->root[r] == v) LS_JOIN(vote, W)(a->optimum, r, a->p, a->q, a->root);
}
