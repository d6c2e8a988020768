/* Lists the source of every edge. */
#include "language/kernel.h"

#define EDGE_SOURCES_ARGS(A, W) A(OFF, u32, off, "n+1", rows, "m") A(OUT, u32, src, "m", vertex, "n")
ARGS(edge_sources, EDGE_SOURCES_ARGS)

SELECT(edge_sources) { return (void)a, (void)v, true; }

EDGES_BODY(edge_sources) {
  UNUSED_BODY;
  a->src[e] = v;
}
