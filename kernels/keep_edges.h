/* The edges of a part of the graph, packed: place[e] is what a prefix sum made of the marks. from[k] tells which
 * edge of the whole the k-th is. */
#include "kernel.h"

#define KEEP_EDGES_ARGS(A, W)                                                                               \
  A(IN, u32, to, "m") A(IN, u32, keep, "m") A(IN, u32, place, "m") A(OUT, u32, part_to, "k") A(OUT, u32, from, "k")
ARGS(keep_edges, KEEP_EDGES_ARGS)

EDGE_BODY(keep_edges) {
  (void)push, (void)count;
  if (!a->keep[e]) return;
  a->part_to[a->place[e]] = a->to[e];
  a->from[a->place[e]] = e;
}
