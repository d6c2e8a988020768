/* Converts 32-bit weights to 64 bits, for a run whose sums do not fit 32 bits. */
#include "language/kernel.h"

#define WIDEN_ARGS(A, W) A(IN, i32, x, "n") A(OUT, i64, y, "n")
ARGS(widen, WIDEN_ARGS)

VERTEX_BODY(widen) {
  (void)push, (void)count;
  a->y[v] = a->x[v];
}
