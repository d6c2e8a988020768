/* Counts numbers that are not finite, and those below 0. */
#include "language/kernel.h"

#define ODD_NUMBERS_ARGS(A, W) A(IN, W, x, "k") A(COUNT, u32, infinite, "1") A(COUNT, u32, negative, "1")
ARGS(odd_numbers, ODD_NUMBERS_ARGS)

ELEMENT_BODY(odd_numbers) {
  (void)push;
  const W x = a->x[i];
  count->infinite += x - x != 0; /* NaN and infinities */
  count->negative += x < 0;
}
