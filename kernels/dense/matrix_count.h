/* Counts the edges in each row of a matrix: elements that differ from `none` and are not on the diagonal. */
#include "language/kernel.h"

#define MATRIX_COUNT_ARGS(A, W) A(IN, W, D, "n*n") A(VALUE, W, none, "1") A(OUT, u32, degree, "n") A(COUNT, u32, edges, "1")
ARGS(matrix_count, MATRIX_COUNT_ARGS)

VERTEX_BODY(matrix_count) {
  (void)push;
  u32 edges = 0;
  for (u32 j = 0; j < a->n; j++) edges += j != v && a->D[(u64)v * a->n + j] != a->none;
  a->degree[v] = edges;
  count->edges += edges;
}
