/* Phase 1 of blocked Floyd-Warshall, fast form: closes the k-th diagonal tile. A tile of more than 64 x 64 is closed as a
 * matrix of its own, by tiles of 64 x 64. A LIBRARY row. */
#include "dense/dense.h"

#define CLOSE_PIVOT_ARGS(A, W) CLOSE_ARGS(A, W)
