/* x[v] = v. */
#include "language/kernel.h"

#define NUMBERS_ARGS(A, W) A(OUT, u32, x, "n", vertex, "n")
ARGS(numbers, NUMBERS_ARGS)

VERTEX_BODY(numbers) {
  (void)push, (void)count;
  a->x[v] = v;
}
