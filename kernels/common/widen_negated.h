/* Converts 32-bit weights to 64 bits and negates them, for the greatest mean (see negate.h). */
#include "language/kernel.h"

#define WIDEN_NEGATED_ARGS(A, W) A(IN, i32, x, "k") A(OUT, i64, y, "k")
ARGS(widen_negated, WIDEN_NEGATED_ARGS)

ELEMENT_BODY(widen_negated) {
  (void)push, (void)count;
  a->y[i] = -(i64)a->x[i];
}
