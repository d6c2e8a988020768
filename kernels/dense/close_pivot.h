/* Phase 1 of blocked Floyd-Warshall, fast form: closes the k-th diagonal tile. A tile larger than 64 x 64 is closed like
 * a matrix of its own, in tiles of 64 x 64. Bodies: cpu/close_pivot.h, cuda/close_pivot.cuh. */
#include "dense/dense.h"

#define CLOSE_PIVOT_ARGS(A, W) CLOSE_ARGS(A, W)
