/* Marks the edges whose two ends are in the same region. If the regions are strongly connected components, only marked
 * edges can be on a cycle. */
#include "language/kernel.h"

#define INNER_FLAG_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n")                                     \
  A(IN, u32, region, "n", vertex, "n") A(OUT, u32, keep, "m", flag, "1") A(COUNT, u32, kept, "1")
ARGS(inner_flag, INNER_FLAG_ARGS)

SELECT(inner_flag) { return (void)a, (void)v, true; }

EDGES_BODY(inner_flag) {
  (void)push;
  const u32 inside = a->region[v] == a->region[a->to[e]];
  a->keep[e] = inside;
  count->kept += inside;
}
