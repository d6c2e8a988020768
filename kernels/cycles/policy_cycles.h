/* Lists the vertices on cycles, which are exactly those that policy_land has left in `rest`, sets `seen` for them,
 * and initialises the arrays of policy_least and policy_total. */
#include "cycles/policy.h"

#define POLICY_CYCLES_ARGS(A, W)                                                                            \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, u32, to, "m", vertex, "n")                              \
  A(IN, u32, policy, "n", choice, "m") A(INOUT, u32, seen, "n") A(INOUT, u32, seen_next, "n")               \
  A(INOUT, u32, link, "n", vertex, "n") A(INOUT, u32, least, "n", vertex, "n") A(INOUT, W, cost, "n")             \
  A(INOUT, W, time, "n") A(QOUT, u32, cycle, "n+1", vertex_queue, "n") A(COUNT, u32, on_cycles, "1")
ARGS(policy_cycles, POLICY_CYCLES_ARGS)

QUEUE_BODY(policy_cycles) {
  const u32 v = (u32)item, e = a->policy[v];
  const bool on_cycle = e != NO_EDGE;
  a->seen_next[v] = 0;
  a->seen[v] = on_cycle;
  if (!on_cycle) return;
  a->link[v] = a->to[e];
  a->least[v] = v;
  a->cost[v] = 0;
  a->time[v] = 0;
  count->on_cycles++;
  PUSH(cycle, v);
}
