/* A maximum is the minimum of the negated weights. */
#include "language/kernel.h"

#define NEGATE_ARGS(A, W) A(INOUT, W, x, "n") A(COUNT, u32, kept, "1")
ARGS(negate, NEGATE_ARGS)

#define IS_REAL ((W)0.5 != 0)

VERTEX_BODY(negate) {
  (void)push;
  const W x = a->x[v];
  if (IS_REAL || x >= -(W)INT64_MAX)
    a->x[v] = -x;
  else
    count->kept++;
}
