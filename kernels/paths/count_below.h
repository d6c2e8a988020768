/* Counts the settled vertices: those whose distance is below `bound`. */
#include "paths/paths.h"

#define COUNT_BELOW_ARGS(A, W) A(IN, W, dist, "n") A(IN, W, bound, "1") A(COUNT, u32, below, "1")
ARGS(count_below, COUNT_BELOW_ARGS)

VERTEX_BODY(count_below) {
  (void)push;
  count->below += a->dist[v] < *a->bound;
}
