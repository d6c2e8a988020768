/* Pointer doubling among the vertices that come to no root. After log2(n) passes every jump lands on a cycle, and
 * every vertex of a cycle is where some jump lands. The doubling form of elimination: Barnat et al. 2011,
 * Algorithm 3 line 5. */
#include "policy.h"

#define POLICY_JUMP_ARGS(A, W)                                                                              \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(INOUT, u32, jump, "n", vertex, "n")                         \
  A(INOUT, u32, jump_next, "n", vertex, "n") A(COUNT, u32, moved, "1")
ARGS(policy_jump, POLICY_JUMP_ARGS)

QUEUE_BODY(policy_jump) {
  (void)push;
  const u32 v = (u32)item, there = a->jump[v], next = a->jump[there];
  a->jump_next[v] = next;
  count->moved += next != there;
}
