/* Phase 3 of blocked Floyd-Warshall as a matrix multiplication. Okuyama 2013, 4.3.2 (after Volkov and Demmel 2008): a block
 * of 64 threads takes 16 x 64 elements, a thread a column of 16 in registers; it goes over `l` such parts that lie side by
 * side, for which the 16 rows of the pivot's columns stay in shared memory. A LIBRARY row. */
#include "dense/dense.h"

#define MM_REST_ARGS(A, W) CLOSE_ARGS(A, W) A(VALUE, u32, l, "1")
