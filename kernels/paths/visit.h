/* One layer of a breadth-first search, top-down: the unvisited successors of the frontier get level depth[0] + 1. */
#include "paths/paths.h"

#define VISIT_ARGS(A, W)                                                                                    \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, depth, "1")              \
  A(INOUT, u32, level, "n") A(INOUT, u32, parent, "n")                                                      \
  A(QIN, u32, front, "n+1", vertex_queue, "n") A(QOUT, u32, front_next, "n+1", vertex_queue, "n")           \
  A(COUNT, u32, grown, "1")
ARGS(visit, VISIT_ARGS)

SELECT(visit) { return (void)a, (void)v, true; }

EDGES_BODY(visit) {
  const u32 t = a->to[e];
  if (load_relaxed(&a->level[t]) != LS_NO_VERTEX || !atomic_cas(&a->level[t], LS_NO_VERTEX, *a->depth + 1)) return;
  a->parent[t] = v;
  count->grown++;
  PUSH(front_next, t);
}
