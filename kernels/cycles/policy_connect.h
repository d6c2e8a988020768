/* One layer of the backward search that connects loose vertices to the vertices whose path arrives at the root: Barnat et
 * al. 2011, connectGpi (Algorithm 3 line 11). Every reached vertex has an edge to the next lower layer, so a path that descends
 * one layer per edge arrives. */
#include "cycles/policy.h"

#define POLICY_CONNECT_ARGS(A, W)                                                                           \
  A(OFF, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(INOUT, u32, layer, "n")         \
  A(QIN, u32, front, "n+1", vertex_queue, "n") A(QAHEAD, u32, front_next, "n+1", vertex_queue, "n")           \
  A(COUNT, u32, grown, "1")
ARGS(policy_connect, POLICY_CONNECT_ARGS)

SELECT(policy_connect) { return (void)a, (void)v, true; }

EDGES_BODY(policy_connect) {
  const u32 u = a->rto[e];
  const u32 next = load_relaxed(&a->layer[v]) + 1;
  if (load_cached(&a->layer[u]) != UNREACHED || next == UNREACHED) return; /* equal only if a user wrote to `layer` */
  if (!atomic_cas(&a->layer[u], UNREACHED, next)) return;
  count->grown++;
  PUSH(front_next, u);
}
