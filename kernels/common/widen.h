/* Converts 32-bit weights to 64 bits, for a run whose sums do not fit 32 bits. */
#include "language/kernel.h"

#define WIDEN_ARGS(A, W) A(IN, i32, x, "k") A(OUT, i64, y, "k")
ARGS(widen, WIDEN_ARGS)

ELEMENT_BODY(widen) {
  (void)push, (void)count;
  a->y[i] = a->x[i];
}
