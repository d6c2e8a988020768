/* y[i] = 1 if x[i] is not 0, else 0. */
#include "language/kernel.h"

#define TRUTHS_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
ARGS(truths, TRUTHS_ARGS)

ELEMENT_BODY(truths) {
  UNUSED_BODY;
  a->y[i] = a->x[i] != 0;
}
