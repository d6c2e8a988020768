/* multiply for only some rows of the product: those that are needed before the others. Bodies: cpu/multiply_rows.h,
 * cuda/multiply_rows.cuh. */
#include "core/error.h"
#include "dense/dense.h"

#define MULTIPLY_ROWS_ARGS(A, W)                                                                            \
  A(IN, W, left, "p*q") A(IN, W, right, "q*r") A(INOUT, W, into, "p*r") A(INOUT, u32, overflow, "1")        \
  A(VALUE, u32, first, "1") A(VALUE, u32, rows, "1") A(VALUE, u32, p, "1") A(VALUE, u32, q, "1") A(VALUE, u32, r, "1") \
  A(VALUE, u32, semiring, "1", semiring, "1") A(VALUE, u32, positive, "1", flag, "1")

#ifndef MULTIPLY_ROWS_FIT
#define MULTIPLY_ROWS_FIT
static inline ls_status rows_fit(u32 first, u32 rows, u32 p) {
  if (first <= p && rows <= p - first) return LS_OK;
  return ls_fail(LS_EARG, "multiply_rows: %u rows from %u on: there are %u", rows, first, p);
}
#endif
