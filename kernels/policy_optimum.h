/* The best of all regions' cycles, by the vote of Algorithm 5: optimum = the region's representative + 1. */
#include "policy.h"

#define POLICY_OPTIMUM_ARGS(A, W)                                                                           \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n") A(IN, W, p, "n") A(IN, W, q, "n")     \
  A(INOUT, u32, optimum, "1", vote, "n") A(COUNT, u32, cyclic, "1")
ARGS(policy_optimum, POLICY_OPTIMUM_ARGS)

VERTEX_BODY(policy_optimum) {
  (void)push;
  if (a->region[v] != v || a->q[v] == 0) return; /* no cycle was found in it */
  count->cyclic++;
  for (;;) {
    const u32 now = peek(a->optimum);
    if (now) {
      const int order = COMPARE_MEANS(a->p[v], a->q[v], a->p[now - 1], a->q[now - 1]);
      if (order > 0 || (order == 0 && a->root[now - 1] <= a->root[v])) return;
    }
    if (atomic_claim(a->optimum, now, v + 1)) return;
  }
}
