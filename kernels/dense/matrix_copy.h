/* Copies a part of a matrix to a part of another one. Bodies: cpu/matrix_copy.h, cuda/matrix_copy.cuh. */
#include "core/error.h"
#include "core/types.h"

#define MATRIX_COPY_ARGS(A, W)                                                                              \
  A(IN, W, x, "rows*cols") A(VALUE, u32, cols, "1") A(VALUE, u32, i, "1", upto, "rows")                     \
  A(VALUE, u32, j, "1", upto, "cols") A(VALUE, u32, p, "1") A(VALUE, u32, q, "1")                           \
  A(INOUT, W, y, "high*wide") A(VALUE, u32, wide, "1") A(VALUE, u32, k, "1", upto, "high")                  \
  A(VALUE, u32, l, "1", upto, "wide")

#ifndef MATRIX_COPY_FITS
#define MATRIX_COPY_FITS
/* Checks that a part of p x q elements, from row i and column j on, is inside a matrix of `all` elements with `cols` columns. */
static inline ls_status part_fits(u64 all, u32 cols, u32 i, u32 j, u32 p, u32 q) {
  const u64 rows = cols ? all / cols : 0;
  if ((u64)i + p <= rows && (u64)j + q <= cols) return LS_OK;
  return ls_fail(LS_EARG, "matrix_copy: %u x %u elements at row %u, column %u do not lie in %llu x %u", p, q, i, j,
                 (unsigned long long)rows, cols);
}
#endif
