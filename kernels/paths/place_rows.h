/* Transposes the costs of k problems, [vertex][source], into rows of a distance matrix, [source][vertex], from row `base` on. */
#include "paths/paths.h"

#define PLACE_ROWS_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1") A(VALUE, u32, k, "1") A(VALUE, u32, base, "1") A(IN, W, cost, "n*k") A(INOUT, W, matrix, "n*rows") \
  A(VALUE, u32, rows, "1")
ARGS(place_rows, PLACE_ROWS_ARGS)

VERTEX_BODY(place_rows) {
  (void)push, (void)count;
  const u32 k = a->k, u = v / k, s = v % k;
  const u64 row = (u64)a->base + s;
  if (row < a->rows) a->matrix[row * a->n + u] = a->cost[v];
}
