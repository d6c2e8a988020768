/* Finds layer 1 of the search that connects loose vertices: the loose vertices with an edge to a vertex whose path arrives at
 * the root. Barnat et al. 2011, connectGpi (Algorithm 3 line 11). */
#include "cycles/policy.h"

#define POLICY_BORDER_ARGS(A, W)                                                                            \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                     \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(INOUT, u32, layer, "n")                                     \
  A(QOUT, u32, front, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(policy_border, POLICY_BORDER_ARGS)

SELECT(policy_border) { return load_cached(&a->layer[v]) == UNREACHED; }

EDGES_BODY(policy_border) {
  if (load_relaxed(&a->layer[a->to[e]]) != 0 || load_cached(&a->layer[v]) != UNREACHED) return;
  if (!atomic_cas(&a->layer[v], UNREACHED, 1)) return;
  count->grown++;
  PUSH(front, v);
}
