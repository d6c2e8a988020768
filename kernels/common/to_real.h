/* Converts integers to the nearest reals. */
#include "language/kernel.h"

#define TO_REAL_ARGS(A, W) A(IN, i64, x, "k") A(OUT, f64, y, "k")
ARGS(to_real, TO_REAL_ARGS)

ELEMENT_BODY(to_real) {
  (void)push, (void)count;
  a->y[i] = (f64)a->x[i];
}
