/* Converts i32 to i16 and counts the numbers that do not fit. */
#include "language/kernel.h"

#define NARROW_ARGS(A, W) A(IN, i32, x, "k") A(OUT, i16, y, "k") A(COUNT, u32, lost, "1")
ARGS(narrow, NARROW_ARGS)

ELEMENT_BODY(narrow) {
  (void)push;
  a->y[i] = (i16)a->x[i];
  count->lost += a->y[i] != a->x[i];
}
