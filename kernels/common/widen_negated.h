/* 32-bit weights as 64-bit ones, negated: for a maximum. */
#include "language/kernel.h"

#define WIDEN_NEGATED_ARGS(A, W) A(IN, i32, x, "n") A(OUT, i64, y, "n")
ARGS(widen_negated, WIDEN_NEGATED_ARGS)

VERTEX_BODY(widen_negated) {
  (void)push, (void)count;
  a->y[v] = -(i64)a->x[v];
}
