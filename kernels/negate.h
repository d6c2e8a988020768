/* A maximum is the minimum of the negated weights. */
#include "kernel.h"

#define NEGATE_ARGS(A, W) A(INOUT, W, x, "n")
ARGS(negate, NEGATE_ARGS)

VERTEX_BODY(negate) {
  (void)push, (void)count;
  a->x[v] = -a->x[v];
}
