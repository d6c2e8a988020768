/* From a distance matrix, finds the second vertex of a best path for each pair of vertices: the target of a tight edge. Among
 * several tight edges the heaviest is chosen (ties: the first): if that weight is positive, the remaining distance decreases, so
 * that the path ends. */
#include "dense/tight.h"

#define PATH_FIRST_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, D, "n*n")  \
  A(VALUE, W, none, "1") A(VALUE, u32, roundings, "1") A(OUT, u32, successor, "n*n", link, "n") A(COUNT, u32, lost, "1")
ARGS(path_first, PATH_FIRST_ARGS)

ELEMENT_BODY(path_first) {
  (void)push;
  const u32 v = (u32)(i / a->n), j = (u32)(i % a->n);
  const W distance = a->D[i];
  u32 best = LS_NO_VERTEX;
  W heaviest = 0;
  for (u32 e = a->off[v]; v != j && distance != a->none && e < a->off[v + 1]; e++) {
    const u32 u = a->to[e];
    const W w = a->w[e], onward = u == j ? (W)0 : a->D[(u64)u * a->n + j];
    if (u == v || onward == a->none || !TIGHT(distance, w, onward, a->roundings)) continue;
    if (best == LS_NO_VERTEX || w > heaviest) best = u, heaviest = w;
  }
  a->successor[i] = best;
  count->lost += best == LS_NO_VERTEX && v != j && distance != a->none;
}
