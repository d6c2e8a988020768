/* Checks the triangle inequality dist[u] <= dist[v] + w for every edge v -> u in k problems; then no distance is too large. Also
 * marks as proved each u with a tight edge from a vertex of lower distance: following such edges back leads to a source, so
 * that dist[u] is the length of a path. */
#include "paths/certificate.h"

#define PROVE_EDGES_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(VALUE, u32, rows, "1") A(VALUE, u32, base, "1") A(VALUE, u32, k, "1") A(IN, W, dist, "rows*n")           \
  A(VALUE, u32, limited, "1") A(VALUE, W, limit, "1") A(IN, f64, tolerance, "2")                         \
  A(INOUT, u32, proved, "k*n") A(INOUT, i64, first, "1") A(COUNT, u32, violated, "1")
ARGS(prove_edges, PROVE_EDGES_ARGS)

SELECT(prove_edges) { return (void)a, (void)v, true; }

EDGES_BODY(prove_edges) {
  (void)push;
  const u32 u = a->to[e], problems = PROBLEMS(a);
  for (u32 s = 0; s < problems; s++) PROVE_EDGE(a, s, e, v, u);
}
