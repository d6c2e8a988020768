/* Converts 32-bit weights to 64 bits and negates them, for the greatest mean (see negate.h). */
#include "language/kernel.h"

#define WIDEN_NEGATED_ARGS(A, W) A(IN, i32, x, "n") A(OUT, i64, y, "n")
ARGS(widen_negated, WIDEN_NEGATED_ARGS)

VERTEX_BODY(widen_negated) {
  (void)push, (void)count;
  a->y[v] = -(i64)a->x[v];
}
