/* Topological order by levels, first step: lists the vertices without in-edges. They are level 0. */
#include "language/kernel.h"

#define ORDER_START_ARGS(A, W)                                                                              \
  A(IN, u32, roff, "n+1") A(OUT, u32, indegree, "n") A(OUT, u32, level, "n")                                \
  A(QOUT, u32, front, "n+1", vertex_queue, "n") A(COUNT, u32, sources, "1")
ARGS(order_start, ORDER_START_ARGS)

VERTEX_BODY(order_start) {
  const u32 edges = a->roff[v + 1] - a->roff[v];
  a->indegree[v] = edges;
  a->level[v] = 0;
  if (edges) return;
  PUSH(front, v);
  count->sources++;
}
