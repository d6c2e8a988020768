/* One layer of the search that builds the tree of shortest paths, from the source over tight edges. A parent is on an
 * earlier layer than its child, so parents never form a cycle, even if all edges of a cycle of weight 0 are tight. */
#include "common/minplus.h"

#define TIGHT_EDGES_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(IN, W, dist, "n") A(INOUT, u32, parent, "n") A(INOUT, u32, overflow, "1")                               \
  A(QIN, u32, front, "k", vertex_queue, "n") A(QAHEAD, u32, front_next, "k", vertex_queue, "n")           \
  A(COUNT, u32, grown, "1")
ARGS(tight_edges, TIGHT_EDGES_ARGS)

SELECT(tight_edges) { return (void)a, (void)v, true; }

EDGES_BODY(tight_edges) {
  u32 t = a->to[e];
  if (load_relaxed(&a->parent[t]) != LS_NO_VERTEX) return;
  if (ONWARD(a->dist[v], a->w[e], a->overflow) != a->dist[t]) return;
  if (!atomic_cas(&a->parent[t], LS_NO_VERTEX, v)) return;
  count->grown++;
  PUSH(front_next, t);
}
