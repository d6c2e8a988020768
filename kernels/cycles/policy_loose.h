/* Lists the loose vertices: those whose path does not reach the root of their region. Vertices whose path arrives become
 * layer 0 of the search that connects the loose ones. */
#include "cycles/policy.h"

#define POLICY_LOOSE_ARGS(A, W)                                                                             \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n") A(IN, u32, policy, "n")               \
  A(IN, u32, jump, "n", vertex, "n") A(OUT, u32, layer, "n")                                                \
  A(QOUT, u32, rest, "n+1", vertex_queue, "n") A(COUNT, u32, loose, "1")
ARGS(policy_loose, POLICY_LOOSE_ARGS)

VERTEX_BODY(policy_loose) {
  LIST_IF_LOOSE(a->jump[v] == a->root[a->region[v]], loose);
}
