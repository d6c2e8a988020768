/* Converts 16-bit numbers to 32 bits. */
#include "language/kernel.h"

#define WIDEN_SHORT_ARGS(A, W) A(IN, i16, x, "k") A(OUT, i32, y, "k")
ARGS(widen_short, WIDEN_SHORT_ARGS)

ELEMENT_BODY(widen_short) {
  (void)push, (void)count;
  a->y[i] = a->x[i];
}
