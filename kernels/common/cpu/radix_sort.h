/* radix_sort on a CPU: qsort. */
#include <math.h>
#include <stdlib.h>

/* qsort needs a total order, including NaNs. As in a radix sort of the bits, negative NaNs come first, positive ones last. */
#define END_OF(x) (!isnan((f64)(x)) ? 0 : signbit((f64)(x)) ? -1 : 1)

static int LS_JOIN(order, W)(const void *left, const void *right) {
  const W x = *(const W *)left, y = *(const W *)right;
  const int ends = END_OF(x) - END_OF(y);
  return ends ? ends : (x > y) - (x < y);
}

CPU_LIBRARY(radix_sort) {
  UNUSED_LIBRARY;
  if (!L->items) return LS_OK;
  memcpy(a->y, a->x, L->items * sizeof(W));
  qsort(a->y, L->items, sizeof(W), LS_JOIN(order, W));
  return LS_OK;
}
