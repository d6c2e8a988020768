/* A part of a matrix, and a matrix of its own that has its elements. */
#ifndef PART_OF_MATRIX_H
#define PART_OF_MATRIX_H

#include "core/error.h"
#include "core/types.h"

/* count elements of a part with q columns lie from row i and column j on in a matrix of `all` elements with `cols` columns. */
static inline ls_status part_fits(const char *name, u64 all, u32 cols, u32 i, u32 j, u64 count, u32 q) {
  const u64 rows = cols ? all / cols : 0, p = q ? count / q : 0;
  if (i + p <= rows && (u64)j + q <= cols) return LS_OK;
  return ls_fail(LS_EARG, "%s: %llu x %u elements at row %u, column %u do not lie in %llu x %u", name, (unsigned long long)p, q, i,
                 j, (unsigned long long)rows, cols);
}

#endif
