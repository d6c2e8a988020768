/* Negates greatest path weights: this gives the distances in the graph with negated weights. In x the least value of
 * the type (-inf for reals) means "no path". */
#include "paths/paths.h"

#define OPPOSITE_DISTANCES_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, dist, "k") A(VALUE, W, least, "1")
ARGS(opposite_distances, OPPOSITE_DISTANCES_ARGS)

ELEMENT_BODY(opposite_distances) {
  UNUSED_BODY;
  a->dist[i] = a->x[i] == a->least ? NO_PATH : (W)-a->x[i];
}
