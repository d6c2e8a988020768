/* Phase 3 of blocked Floyd-Warshall, fast form: updates all other elements by the product of the k-th column and the k-th
 * row of tiles. Bodies: cpu/close_rest.h, cuda/close_rest.cuh. */
#include "dense/dense.h"

#define CLOSE_REST_ARGS(A, W) CLOSE_ARGS(A, W)
