/* Converts 32-bit reals to 64 bits. */
#include "language/kernel.h"

#define WIDEN_REAL_ARGS(A, W) A(IN, f32, x, "k") A(OUT, f64, y, "k")
ARGS(widen_real, WIDEN_REAL_ARGS)

ELEMENT_BODY(widen_real) {
  (void)push, (void)count;
  a->y[i] = a->x[i];
}
