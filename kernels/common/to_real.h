/* Converts integers to the nearest reals. */
#include "language/kernel.h"

#define TO_REAL_ARGS(A, W) A(IN, i64, x, "n") A(OUT, f64, y, "n")
ARGS(to_real, TO_REAL_ARGS)

VERTEX_BODY(to_real) {
  (void)push, (void)count;
  a->y[v] = (f64)a->x[v];
}
