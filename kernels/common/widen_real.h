/* Converts 32-bit reals to 64 bits. */
#include "language/kernel.h"

#define WIDEN_REAL_ARGS(A, W) A(IN, f32, x, "n") A(OUT, f64, y, "n")
ARGS(widen_real, WIDEN_REAL_ARGS)

VERTEX_BODY(widen_real) {
  (void)push, (void)count;
  a->y[v] = a->x[v];
}
