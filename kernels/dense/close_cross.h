/* Phase 2 of blocked Floyd-Warshall, fast form: multiplies the k-th row and the k-th column of tiles by the k-th diagonal
 * tile. Bodies: cpu/close_cross.h, cuda/close_cross.cuh. */
#include "dense/dense.h"

#define CLOSE_CROSS_ARGS(A, W) CLOSE_ARGS(A, W)
