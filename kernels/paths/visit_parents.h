/* Builds the tree of a breadth-first search from its levels: the source of an edge to the next level becomes the target's parent. */
#include "paths/paths.h"

#define VISIT_PARENTS_ARGS(A, W)                                                                            \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, level, "n")              \
  A(INOUT, u32, parent, "n", TIE) A(INOUT, u32, depth, "1")
ARGS(visit_parents, VISIT_PARENTS_ARGS)

SELECT(visit_parents) {
  const u32 mine = a->level[v];
  if (mine == LS_NO_VERTEX) return false;
  if (mine > load_relaxed(a->depth)) atomic_max(a->depth, mine);
  return true;
}

EDGES_BODY(visit_parents) {
  (void)push, (void)count;
  const u32 t = a->to[e];
  if (a->level[t] == a->level[v] + 1) store_relaxed(&a->parent[t], v);
}
