/* Converts the levels of a breadth-first search to distances. */
#include "paths/paths.h"

#define LEVELS_TO_DISTANCES_ARGS(A, W) A(IN, u32, level, "n") A(OUT, W, dist, "n")
ARGS(levels_to_distances, LEVELS_TO_DISTANCES_ARGS)

VERTEX_BODY(levels_to_distances) {
  (void)push, (void)count;
  a->dist[v] = a->level[v] == 0xffffffffu ? NO_PATH : (W)a->level[v];
}
