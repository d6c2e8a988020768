/* Phase 2 of blocked Floyd-Warshall, fast form: multiplies the k-th row and the k-th column of tiles by the k-th diagonal
 * tile. A LIBRARY row. */
#include "dense/dense.h"

#define CLOSE_CROSS_ARGS(A, W) CLOSE_ARGS(A, W)
