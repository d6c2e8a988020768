/* Lists the loose vertices: those with a choice that policy_mark has not marked. */
#include "cycles/policy.h"

#define POLICY_UNMARKED_ARGS(A, W)                                                                          \
  A(IN, u32, policy, "n") A(IN, u32, layer, "n") A(QOUT, u32, rest, "n+1", vertex_queue, "n")               \
  A(COUNT, u32, loose, "1")
ARGS(policy_unmarked, POLICY_UNMARKED_ARGS)

VERTEX_BODY(policy_unmarked) {
  if (a->policy[v] == NO_EDGE || a->layer[v] == 0) return;
  count->loose++;
  PUSH(rest, v);
}
