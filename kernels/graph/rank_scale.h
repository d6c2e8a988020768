/* Divides ranks by their sum, so that they add up to 1. */
#include "language/kernel.h"

#define RANK_SCALE_ARGS(A, W) A(INOUT, f64, rank, "n") A(IN, f64, total, "1")
ARGS(rank_scale, RANK_SCALE_ARGS)

VERTEX_BODY(rank_scale) {
  (void)count, (void)push;
  a->rank[v] = a->rank[v] / *a->total;
}
