/* Adds the product of two matrices to a third over a semiring. Bodies: cpu/multiply.h, cuda/multiply.cuh; multiply_tile
 * is its plain form. */
#include "dense/dense.h"

#define MULTIPLY_ARGS(A, W)                                                                                 \
  A(IN, W, left, "p*q") A(IN, W, right, "q*r") A(INOUT, W, into, "p*r") A(INOUT, u32, overflow, "1")        \
  A(VALUE, u32, p, "1") A(VALUE, u32, q, "1") A(VALUE, u32, r, "1")                                         \
  A(VALUE, u32, semiring, "1", semiring, "1") A(VALUE, u32, positive, "1", flag, "1")
