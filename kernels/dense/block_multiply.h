/* Adds the product of two parts of a matrix to a third part of it, the building block of the recursive Floyd-Warshall.
 * Bodies: cpu/block_multiply.h, cuda/block_multiply.cuh. */
#include "core/error.h"
#include "dense/dense.h"

#define BLOCK_MULTIPLY_ARGS(A, W)                                                                           \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, i, "1", upto, "n")                       \
  A(VALUE, u32, rows, "1", upto, "n") A(VALUE, u32, j, "1", upto, "n") A(VALUE, u32, cols, "1", upto, "n")  \
  A(VALUE, u32, k, "1", upto, "n") A(VALUE, u32, deep, "1", upto, "n")                                      \
  A(VALUE, u32, semiring, "1", closing, "1") A(VALUE, u32, positive, "1", flag, "1")           \
  A(VALUE, u32, upper, "1", flag, "1")

#ifndef BLOCK_MULTIPLY_FITS
#define BLOCK_MULTIPLY_FITS
static inline ls_status block_fits(u32 n, const u32 at[3], const u32 size[3]) {
  for (int x = 0; x < 3; x++)
    if (at[x] > n || size[x] > n - at[x])
      return ls_fail(LS_EARG, "block_multiply: %u elements from %u on: there are %u", size[x], at[x], n);
  return LS_OK;
}
#endif
