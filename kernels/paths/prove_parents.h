/* Marks the vertices whose parent is right: a tight edge leads from the parent to the vertex. */
#include "paths/certificate.h"

#define PROVE_PARENTS_ARGS(A, W)                                                                            \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, dist, "n") \
  A(IN, u32, parent, "n") A(IN, f64, tolerance, "2") A(INOUT, u32, proved, "n")
ARGS(prove_parents, PROVE_PARENTS_ARGS)

SELECT(prove_parents) { return a->dist[v] != NO_PATH; }

EDGES_BODY(prove_parents) {
  (void)push, (void)count;
  const u32 u = a->to[e];
  if (a->parent[u] != v || a->dist[u] == NO_PATH) return;
  if (EDGE_IS(a->dist[v], a->w[e], a->dist[u], a->tolerance[0]) == EDGE_TIGHT) store_relaxed(&a->proved[u], 1u);
}
