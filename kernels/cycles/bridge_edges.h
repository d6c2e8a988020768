/* Copies the edges of a graph into the graph of bridge_rows, which has one more edge, the bridge, at the end of each row. */
#include "language/kernel.h"

#define BRIDGE_EDGES_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(INOUT, u32, wide_to, "k", vertex, "n") A(INOUT, W, wide_w, "k") A(VALUE, u32, wide, "1", upto, "k")
ARGS(bridge_edges, BRIDGE_EDGES_ARGS)

SELECT(bridge_edges) { return (void)a, (void)v, true; }

EDGES_BODY(bridge_edges) {
  (void)push, (void)count;
  const u64 at = (u64)e + v;
  if (at >= a->wide) return;
  a->wide_to[at] = a->to[e];
  a->wide_w[at] = a->w[e];
}
