/* Lists the vertices on cycles: those where jumps have landed. seen must be zero. */
#include "policy.h"

#define POLICY_CYCLES_ARGS(A, W)                                                                            \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, u32, to, "m", vertex, "n")                              \
  A(IN, u32, policy, "n", choice, "m") A(IN, u32, jump, "n", vertex, "n") A(INOUT, u32, seen, "n")          \
  A(INOUT, u32, link, "n", vertex, "n") A(INOUT, u32, least, "n", vertex, "n") A(INOUT, W, cost, "n")             \
  A(INOUT, W, time, "n") A(QOUT, u32, cycle, "n+1", vertex_queue, "n") A(COUNT, u32, on_cycles, "1")
ARGS(policy_cycles, POLICY_CYCLES_ARGS)

QUEUE_BODY(policy_cycles) {
  const u32 x = a->jump[(u32)item];
  if (a->policy[x] == NO_EDGE) return;
  if (hint(&a->seen[x]) || !atomic_claim(&a->seen[x], 0, 1)) return;
  a->link[x] = a->to[a->policy[x]];
  a->least[x] = x;
  a->cost[x] = 0;
  a->time[x] = 0;
  count->on_cycles++;
  PUSH(x);
}
