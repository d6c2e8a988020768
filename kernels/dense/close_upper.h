/* One stage of blocked Floyd-Warshall in an upper triangular matrix, after close_diagonal. As no path leads back, all
 * stages together make n^3 / 6 updates. Bodies: cpu/close_upper.h, cuda/close_upper.cuh. */
#include "dense/dense.h"

#define CLOSE_UPPER_ARGS(A, W) CLOSE_ARGS(A, W)
