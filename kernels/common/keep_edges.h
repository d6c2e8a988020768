/* Packs the marked edges of a graph: edge e goes to place[e], the exclusive prefix sum of the marks. from[k] is the edge
 * of the whole graph that becomes the k-th edge of the part. `off` is not read; only its length is used, as n + 1. */
#include "language/kernel.h"

#define KEEP_EDGES_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1") A(IN, u32, to, "m", vertex, "n") A(IN, u32, keep, "m")                              \
  A(IN, u32, place, "m") A(VALUE, u32, kept, "1", upto, "k") A(INOUT, u32, part_to, "k", vertex, "n") \
  A(INOUT, u32, from, "k", index, "m")
ARGS(keep_edges, KEEP_EDGES_ARGS)

EDGE_BODY(keep_edges) {
  (void)push, (void)count;
  if (!a->keep[e] || a->place[e] >= a->kept) return;
  a->part_to[a->place[e]] = a->to[e];
  a->from[a->place[e]] = e;
}
