/* Counts the triangles u < v < w whose middle vertex v has at most `most` successors, one thread per edge u -> v: merges v's
 * row with the elements after v in u's row. */
#include "language/kernel.h"

#define INTERSECT_ROWS_ARGS(A, W)                                                                           \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(VALUE, u32, most, "1") A(INOUT, i64, closed, "n")
ARGS(intersect_rows, INTERSECT_ROWS_ARGS)

SELECT(intersect_rows) { return (void)a, (void)v, true; }

EDGES_BODY(intersect_rows) {
  (void)push, (void)count;
  const u32 t = a->to[e], my_end = a->off[v + 1], their_end = a->off[t + 1];
  u32 i = e + 1, k = a->off[t], found = 0;
  if (their_end - k > a->most) return;
  while (i < my_end && k < their_end) {
    const u32 x = a->to[i], y = a->to[k];
    found += x == y;
    i += x <= y;
    k += y <= x;
  }
  if (found) atomic_add(&a->closed[t], (i64)found);
}
