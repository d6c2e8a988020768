/* Marks the edges that lead from a vertex of lower degree to one of higher degree (ties: to the larger number). With only these
 * edges no vertex has more than sqrt(2 m) successors, and each triangle is found once, at its lowest vertex. */
#include "language/kernel.h"

#define MARK_UPWARD_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n") A(OUT, u32, keep, "m", flag, "1")     \
  A(COUNT, u32, kept, "1")
ARGS(mark_upward, MARK_UPWARD_ARGS)

SELECT(mark_upward) { return (void)a, (void)v, true; }

EDGES_BODY(mark_upward) {
  (void)push;
  const u32 t = a->to[e], mine = a->off[v + 1] - a->off[v], theirs = a->off[t + 1] - a->off[t];
  const u32 up = mine < theirs || (mine == theirs && v < t);
  a->keep[e] = up;
  count->kept += up;
}
