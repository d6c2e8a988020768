/* Phase 2 of blocked Floyd-Warshall, fast form: the row and the column of tiles that cross in the k-th diagonal tile are
 * multiplied by it. A LIBRARY row. */
#include "dense/dense.h"

#define CLOSE_CROSS_ARGS(A, W) CLOSE_ARGS(A, W)
