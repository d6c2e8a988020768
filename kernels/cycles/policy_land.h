/* Elimination by pointer doubling: a vertex stays in the list only if the jump of some vertex of the list ends at it;
 * then all jumps are doubled. If a pass removes no vertex, the jumps are a permutation of the list, so all its vertices are
 * on cycles. A tree of depth k disappears after log2(k) passes. Barnat et al. 2011, Algorithm 3 line 5, by doubling.
 * `seen_next` must be all zeros at the start. */
#include "cycles/policy.h"

#define POLICY_LAND_ARGS(A, W)                                                                              \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(INOUT, u32, jump, "n", vertex, "n")                         \
  A(INOUT, u32, jump_next, "n", vertex, "n") A(INOUT, u32, seen, "n") A(INOUT, u32, seen_next, "n")         \
  A(QOUT, u32, cycle, "n+1", vertex_queue, "n") A(COUNT, u32, eliminated, "1")
ARGS(policy_land, POLICY_LAND_ARGS)

QUEUE_BODY(policy_land) {
  const u32 v = (u32)item, x = a->jump[v];
  a->seen[v] = 0;
  if (load_cached(&a->seen_next[x]) || !atomic_cas(&a->seen_next[x], 0, 1)) {
    count->eliminated++;
    return;
  }
  a->jump_next[x] = a->jump[a->jump[x]];
  PUSH(cycle, x);
}
