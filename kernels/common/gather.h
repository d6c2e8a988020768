/* Copies selected elements: y[i] = x[from[i]]. */
#include "language/kernel.h"

#define GATHER_ARGS(A, W)                                                                                   \
  A(IN, W, x, "k") A(IN, u32, from, "m", index, "k") A(OUT, W, y, "m")
ARGS(gather, GATHER_ARGS)

EDGE_BODY(gather) {
  (void)push, (void)count;
  a->y[e] = a->x[a->from[e]];
}
