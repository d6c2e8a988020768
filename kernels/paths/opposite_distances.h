/* Converts greatest path weights to distances under negated weights. The least value of the type (-inf) means "no path" in x. */
#include "paths/paths.h"

#define OPPOSITE_DISTANCES_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, dist, "k") A(VALUE, W, least, "1")
ARGS(opposite_distances, OPPOSITE_DISTANCES_ARGS)

ELEMENT_BODY(opposite_distances) {
  UNUSED_BODY;
  a->dist[i] = a->x[i] == a->least ? NO_PATH : (W)-a->x[i];
}
