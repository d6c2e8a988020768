/* One layer of a breadth-first search, bottom-up: every unvisited vertex looks for an in-edge from the frontier and stops at
 * the first. If the frontier is large, this scans far fewer edges than visit (Beamer, Asanovic, Patterson 2012). */
#include "paths/paths.h"

#define VISIT_PULL_ARGS(A, W)                                                                               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, u32, depth, "1")             \
  A(INOUT, u32, level, "n") A(INOUT, u32, parent, "n")                                                      \
  A(QOUT, u32, front_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(visit_pull, VISIT_PULL_ARGS)

VERTEX_BODY(visit_pull) {
  const u32 depth = *a->depth, first = a->roff[v], last = a->roff[v + 1];
  if (load_relaxed(&a->level[v]) != LS_NO_VERTEX) return;
  for (u32 e = first; e < last; e++) {
    if (load_relaxed(&a->level[a->rto[e]]) != depth) continue;
    store_relaxed(&a->level[v], depth + 1);
    a->parent[v] = a->rto[e];
    LOOKED_AT(e + 1 - first);
    count->grown++;
    PUSH(front_next, v);
    return;
  }
  LOOKED_AT(last - first);
}
