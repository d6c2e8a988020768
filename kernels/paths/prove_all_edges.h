/* The same as prove_edges for many problems, one thread per problem and edge. Adjacent threads have adjacent edges of one problem, so that
 * they read distances that are near each other. */
#include "paths/certificate.h"

#define PROVE_ALL_EDGES_ARGS(A, W)                                                                          \
  A(IN, u32, src, "m", vertex, "n") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                       \
  A(VALUE, u32, rows, "1") A(VALUE, u32, base, "1") A(VALUE, u32, k, "1") A(IN, W, dist, "rows*n")           \
  A(VALUE, u32, limited, "1") A(VALUE, W, limit, "1") A(IN, f64, tolerance, "2")                         \
  A(INOUT, u32, proved, "k*n") A(INOUT, i64, first, "1") A(COUNT, u32, violated, "1")
ARGS(prove_all_edges, PROVE_ALL_EDGES_ARGS)

ELEMENT_BODY(prove_all_edges) {
  (void)push;
  const u64 problem = i / a->m;
  const u32 s = (u32)problem, e = (u32)(i - problem * a->m), v = a->src[e], u = a->to[e];
  if (problem < PROBLEMS(a)) PROVE_EDGE(a, s, e, v, u);
}
