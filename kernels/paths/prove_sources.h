/* The first step of checking a certificate: sources at distance 0 are proved. With reals, rounding on a cycle of weight 0 may give
 * a source a distance slightly below 0, by at most tolerance[1]. A source at a lower distance is reached from another source, and
 * a path must prove it. */
#include "paths/certificate.h"

#define PROVE_SOURCES_ARGS(A, W)                                                                            \
  A(VALUE, u32, rows, "1") A(VALUE, u32, base, "1") A(VALUE, u32, k, "1")                                   \
  A(IN, u32, problem, "sources", index, "k") A(IN, u32, source, "sources", vertex, "n")                     \
  A(IN, W, dist, "rows*n") A(INOUT, u32, proved, "k*n") A(IN, f64, tolerance, "2") A(COUNT, u32, wrong, "1")
ARGS(prove_sources, PROVE_SOURCES_ARGS)

VERTEX_BODY(prove_sources) {
  (void)push;
  const u32 s = a->problem[v], u = a->source[v];
  if (s >= PROBLEMS(a)) return;
  const W own = a->dist[CELL(a, s, u)];
  count->wrong += !(own <= 0);
  if (own <= 0 && own >= -a->tolerance[1]) a->proved[PROVED(a, s, u)] = 1;
}
