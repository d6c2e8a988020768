/* Once the best cycle of each region is known, lists the vertices whose path leads to another cycle. The cycle of a
 * path is found by following the jumps that policy_land has left: few jumps are needed. */
#include "cycles/policy.h"

#define POLICY_APART_ARGS(A, W)                                                                             \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n") A(IN, u32, policy, "n")             \
  A(IN, u32, jump, "n", vertex, "n") A(IN, u32, seen, "n") A(IN, u32, least, "n", vertex, "n")              \
  A(OUT, u32, layer, "n") A(QOUT, u32, rest, "n+1", vertex_queue, "n") A(COUNT, u32, apart, "1")
ARGS(policy_apart, POLICY_APART_ARGS)

LS_INLINE bool LS_JOIN(leads_to_best, W)(const LS_JOIN(policy_apart_args, W) *a, u32 v) {
  const u32 root = a->root[a->region[v]];
  u32 x = a->jump[v];
  for (u32 hops = 0; hops < a->n && x != root && !a->seen[x] && a->jump[x] != x; hops++)
    x = a->jump[x]; /* jump[x] = x at a root of the last evaluation */
  return x == root || (a->seen[x] && a->least[x] == root);
}

VERTEX_BODY(policy_apart) {
  LIST_IF_LOOSE(LS_JOIN(leads_to_best, W)(a, v), apart);
}
