/* Topological order by levels, one level: a vertex whose last remaining in-edge comes from this level is in the next. */
#include "language/kernel.h"

#define ORDER_LEVEL_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                     \
  A(QIN, u32, front, "n+1", vertex_queue, "n") A(INOUT, u32, indegree, "n") A(INOUT, u32, level, "n")       \
  A(QOUT, u32, front_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(order_level, ORDER_LEVEL_ARGS)

SELECT(order_level) {
  (void)a, (void)v;
  return true;
}

EDGES_BODY(order_level) {
  const u32 t = a->to[e];
  if (atomic_add(&a->indegree[t], 0xffffffffu) != 1) return;
  a->level[t] = a->level[v] + 1;
  PUSH(front_next, t);
  count->grown++;
}
