/* One pass over all edges: the target of a tight edge from a proved vertex is proved. With `ties`, only edges between equal
 * distances are followed: if no weight is negative, prove_edges has already proved all others. */
#include "paths/certificate.h"

#define PROVE_TIGHT_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(VALUE, u32, rows, "1") A(VALUE, u32, base, "1") A(VALUE, u32, k, "1") A(IN, W, dist, "rows*n")           \
  A(VALUE, u32, ties, "1") A(IN, f64, tolerance, "2") A(INOUT, u32, proved, "k*n") A(COUNT, u32, grown, "1")
ARGS(prove_tight, PROVE_TIGHT_ARGS)

SELECT(prove_tight) { return a->k != 1 || load_relaxed(&a->proved[v]); }

EDGES_BODY(prove_tight) {
  (void)push;
  const u32 u = a->to[e], problems = PROBLEMS(a);
  for (u32 s = 0; s < problems; s++) {
    if (load_relaxed(&a->proved[PROVED(a, s, u)]) || !load_relaxed(&a->proved[PROVED(a, s, v)])) continue;
    const W dv = a->dist[CELL(a, s, v)], du = a->dist[CELL(a, s, u)];
    if (dv == NO_PATH || du == NO_PATH || (a->ties && dv != du)) continue;
    if (EDGE_IS(dv, a->w[e], du, a->tolerance[0]) != EDGE_TIGHT) continue;
    store_relaxed(&a->proved[PROVED(a, s, u)], 1u);
    count->grown++;
  }
}
