/* Counts the triangles u < v < w at each of their vertices, if v has at most `most` successors, one thread per edge u -> v: every w > v
 * that is in the sorted rows of both u and v closes a triangle. */
#include "language/kernel.h"

#define CORNERS_ARGS(A, W)                                                                                  \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(VALUE, u32, most, "1")            \
  A(INOUT, i64, at, "n") A(COUNT, u32, found, "1")
ARGS(corners, CORNERS_ARGS)

SELECT(corners) { return (void)a, (void)v, true; }

EDGES_BODY(corners) {
  (void)push;
  const u32 t = a->to[e], my_end = a->off[v + 1], their_end = a->off[t + 1];
  u32 i = e + 1, k = a->off[t], found = 0;
  if (their_end - k > a->most) return;
  while (i < my_end && k < their_end) {
    const u32 x = a->to[i], y = a->to[k];
    if (x == y) {
      atomic_add(&a->at[x], (i64)1);
      found++;
    }
    i += x <= y;
    k += y <= x;
  }
  if (found == 0) return;
  atomic_add(&a->at[v], (i64)found);
  atomic_add(&a->at[t], (i64)found);
  count->found += found;
}
