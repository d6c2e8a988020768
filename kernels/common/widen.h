/* 32-bit weights as 64-bit ones, for a run whose sums left 32 bits. */
#include "language/kernel.h"

#define WIDEN_ARGS(A, W) A(IN, i32, x, "n") A(OUT, i64, y, "n")
ARGS(widen, WIDEN_ARGS)

VERTEX_BODY(widen) {
  (void)push, (void)count;
  a->y[v] = a->x[v];
}
