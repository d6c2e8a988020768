/* Sums the weights and the times of every cycle; the sums are stored at its smallest vertex. */
#include "cycles/policy.h"

#define POLICY_TOTAL_ARGS(A, W)                                                                             \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(IN, W, w, "m") A(IN, W, t, "times")                        \
  A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, policy, "n", choice, "m") A(IN, u32, least, "n", vertex, "n")        \
  A(INOUT, W, cost, "n") A(INOUT, W, time, "n")
ARGS(policy_total, POLICY_TOTAL_ARGS)

QUEUE_BODY(policy_total) {
  (void)push, (void)count;
  const u32 v = (u32)item, at = a->least[v], e = a->policy[v];
  if (e == NO_EDGE) return;
  atomic_add(&a->cost[at], a->w[e]);
  atomic_add(&a->time[at], EDGE_TIME(e));
}
