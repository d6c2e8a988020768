/* Converts distances of 16 bits to 32 bits. */
#include "language/kernel.h"

#define SHORTS_TO_DISTANCES_ARGS(A, W) A(IN, i16, x, "k") A(OUT, i32, dist, "k")
ARGS(shorts_to_distances, SHORTS_TO_DISTANCES_ARGS)

ELEMENT_BODY(shorts_to_distances) {
  UNUSED_BODY;
  const i32 x = a->x[i];
  a->dist[i] = x == INT16_MAX ? INT32_MAX : x;
}
