/* Blocked Floyd-Warshall in an upper triangular matrix, one stage: nothing leads back, so a sweep has n^3 / 6 updates, and
 * the diagonal tiles are closed before. A LIBRARY row. */
#include "dense/dense.h"

#define CLOSE_UPPER_ARGS(A, W) CLOSE_ARGS(A, W)
