/* Lists the elements that matrix_count counts as edges. */
#include "language/kernel.h"

#define MATRIX_LIST_ARGS(A, W)                                                                              \
  A(IN, W, D, "n*n") A(VALUE, W, none, "1") A(IN, u32, first, "n") A(INOUT, u32, from, "k")                 \
  A(INOUT, u32, to, "k", vertex, "n") A(INOUT, W, w, "k") A(VALUE, u32, edges, "1", upto, "k")
ARGS(matrix_list, MATRIX_LIST_ARGS)

VERTEX_BODY(matrix_list) {
  (void)push, (void)count;
  u64 at = a->first[v];
  for (u32 j = 0; j < a->n; j++) {
    const W x = a->D[(u64)v * a->n + j];
    if (j == v || x == a->none) continue;
    if (at < a->edges) a->from[at] = v, a->to[at] = j, a->w[at] = x;
    at++;
  }
}
