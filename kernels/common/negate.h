/* Negates weights: the greatest mean is minus the least mean of the negated weights. INT64_MIN has no negative: it is left
 * as it is and counted. */
#include "language/kernel.h"

#define NEGATE_ARGS(A, W) A(INOUT, W, x, "k") A(COUNT, u32, kept, "1")
ARGS(negate, NEGATE_ARGS)

#define IS_REAL ((W)0.5 != 0)

ELEMENT_BODY(negate) {
  (void)push;
  const W x = a->x[i];
  if (IS_REAL || x >= -(W)INT64_MAX)
    a->x[i] = -x;
  else
    count->kept++;
}
