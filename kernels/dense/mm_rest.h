/* Phase 3 of blocked Floyd-Warshall as a matrix multiplication. Okuyama 2013, 4.3.2 (after Volkov and Demmel 2008): a
 * block of 64 threads takes 16 x 64 elements, each thread a column of 16 in registers. A block handles `l` such parts,
 * one next to the other; for all of them the 16 rows of the pivot's columns stay in shared memory. Bodies: cpu/mm_rest.h,
 * cuda/mm_rest.cuh.
 *
 * paper errs: 004, section 4.3.2, regions: it says that B', of 16 x t elements, lies in the pivot row, and C', of t x 64, in
 * the pivot column. It is the other way round, as for B and C of figure 4.2. */
#include "dense/dense.h"

#define MM_REST_ARGS(A, W) CLOSE_ARGS(A, W) A(VALUE, u32, l, "1")
