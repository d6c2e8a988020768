/* Lists the vertices with more than `most` out-edges, in any order. */
#include "language/kernel.h"

#define HEAVY_ROWS_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1") A(VALUE, u32, most, "1") A(QOUT, u32, heavy, "n+1", vertex_queue, "n") A(COUNT, u32, listed, "1")
ARGS(heavy_rows, HEAVY_ROWS_ARGS)

VERTEX_BODY(heavy_rows) {
  if (a->off[v + 1] <= a->off[v] || a->off[v + 1] - a->off[v] <= a->most) return;
  count->listed++;
  PUSH(heavy, v);
}
