/* The edges of a part of the graph, packed: place[e] is what a prefix sum made of the marks. from[k] tells which
 * edge of the whole the k-th is. off is there for the number of vertices. */
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
