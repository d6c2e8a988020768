/* Closes the diagonal tiles of an upper triangular matrix for blocked Floyd-Warshall: all at once, because no path leads
 * from a tile back to an earlier one. Bodies: cpu/close_diagonal.h, cuda/close_diagonal.cuh. */
#include "dense/dense.h"

#define CLOSE_DIAGONAL_ARGS(A, W)                                                                           \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, tile, "1", tile_size, "1")               \
  A(VALUE, u32, semiring, "1", closing, "1") A(VALUE, u32, positive, "1", flag, "1")
