/* Finds best paths with the fewest edges, one more edge per launch: a pair of vertices gets the first tight edge to a vertex
 * whose path has level - 1 edges. So paths end even if there are cycles of weight 0. */
#include "dense/tight.h"

#define PATH_LEVEL_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, D, "n*n")  \
  A(VALUE, W, none, "1") A(VALUE, u32, roundings, "1") A(VALUE, u32, level, "1") A(INOUT, u32, hops, "n*n")       \
  A(INOUT, u32, successor, "n*n", link, "n") A(COUNT, u32, found, "1")
ARGS(path_level, PATH_LEVEL_ARGS)

ELEMENT_BODY(path_level) {
  (void)push;
  const u32 v = (u32)(i / a->n), j = (u32)(i % a->n);
  const W distance = a->D[i];
  if (v == j || distance == a->none || a->successor[i] != LS_NO_VERTEX) return;
  for (u32 e = a->off[v]; e < a->off[v + 1]; e++) {
    const u32 u = a->to[e];
    const u64 at = (u64)u * a->n + j;
    if (u == v || (u == j ? 0 : load_relaxed(&a->hops[at])) != a->level - 1) continue;
    if (!TIGHT(distance, a->w[e], u == j ? (W)0 : a->D[at], a->roundings)) continue;
    store_relaxed(&a->hops[i], a->level);
    a->successor[i] = u;
    count->found++;
    return;
  }
}
