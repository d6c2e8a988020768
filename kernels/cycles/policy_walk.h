/* For every vertex that was not eliminated, one thread follows its cycle; the thread of the smallest vertex lists the cycle
 * with its weight and time: Barnat et al. 2011, cycleIdentification (Algorithm 3 line 6). The other threads stop at the
 * first smaller vertex. The worst case is quadratic in the length of a cycle; for long cycles use policy_least. */
#include "cycles/policy.h"

#define POLICY_WALK_ARGS(A, W)                                                                              \
  A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times")          \
  A(IN, u32, policy, "n", choice, "m") A(IN, u32, gone, "n") A(INOUT, u32, least, "n", vertex, "n")           \
  A(INOUT, W, cost, "n") A(INOUT, W, time, "n") A(QOUT, u32, cycle, "n+1", vertex_queue, "n")                   \
  A(COUNT, u32, cycles, "1")
ARGS(policy_walk, POLICY_WALK_ARGS)

VERTEX_BODY(policy_walk) {
  if (a->gone[v] || a->policy[v] == NO_EDGE) return;
  W cost = 0, time = 0;
  u32 x = v, steps = 0;
  do {
    const u32 e = a->policy[x];
    if (e == NO_EDGE || steps++ == a->n) return;
    cost = ADD(cost, a->w[e]);
    time = ADD(time, EDGE_TIME(e));
    x = a->to[e];
  } while (x > v);
  if (x < v) return;
  a->least[v] = v;
  a->cost[v] = cost;
  a->time[v] = time;
  count->cycles++;
  PUSH(cycle, v);
}
