/* The best of all regions, by the vote of Algorithm 5: optimum = the region's representative + 1. Asked are the regions
 * that have a new best cycle: a region's mean only ever falls, so no other can be better now. */
#include "policy.h"

#define POLICY_ELECT_ARGS(A, W)                                                                             \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, u32, region, "n", vertex, "n")                         \
  A(IN, u32, root, "n", link, "n") A(IN, W, p, "n") A(IN, W, q, "n") A(INOUT, u32, optimum, "1", vote, "n")
ARGS(policy_elect, POLICY_ELECT_ARGS)

LS_INLINE void LS_JOIN(elect, W)(u32 *optimum, u32 r, const u32 *root, const W *p, const W *q) {
  for (;;) {
    const u32 now = peek(optimum);
    if (now) {
      const int order = COMPARE_MEANS(p[r], q[r], p[now - 1], q[now - 1]);
      if (order > 0 || (order == 0 && root[now - 1] <= root[r])) return;
    }
    if (atomic_claim(optimum, now, r + 1)) return;
  }
}

QUEUE_BODY(policy_elect) {
  (void)push, (void)count;
  const u32 v = (u32)item, r = a->region[v];
  if (a->root[r] == v) LS_JOIN(elect, W)(a->optimum, r, a->root, a->p, a->q);
}
