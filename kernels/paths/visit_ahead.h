/* Breadth-first search without waiting for layers: the level of a vertex is the least over all paths found so far, and the vertex is
 * expanded again when its level falls. Levels are final when no vertex is in the frontier. On deep graphs with narrow layers this
 * takes fewer barriers than a search by layers, and few vertices are expanded twice; expanded[v] is the level with which v was
 * expanded last. */
#include "paths/paths.h"

#define VISIT_AHEAD_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, level, "n")           \
  A(INOUT, u32, expanded, "n")                                                                              \
  A(QIN, u32, front, "k", vertex_queue, "n") A(QAHEAD, u32, front_next, "k", vertex_queue, "n")             \
  A(COUNT, u32, grown, "1") A(LOST, u32, lost, "1")
ARGS(visit_ahead, VISIT_AHEAD_ARGS)

SELECT(visit_ahead) {
  const u32 mine = load_relaxed(&a->level[v]);
  return mine < load_relaxed(&a->expanded[v]) && mine < atomic_min(&a->expanded[v], mine);
}

EDGES_BODY(visit_ahead) {
  const u32 t = a->to[e], reached = load_relaxed(&a->level[v]) + 1;
  if (!(reached < load_relaxed(&a->level[t]) && reached < atomic_min(&a->level[t], reached))) return;
  count->grown++;
  PUSH(front_next, t);
}
