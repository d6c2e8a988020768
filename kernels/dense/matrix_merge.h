/* The sum of two matrices over a semiring, element by element. Bodies: cpu/matrix_merge.h, cuda/matrix_merge.cuh. */
#include "dense/dense.h"
#include "dense/plain.h"

#define MATRIX_MERGE_ARGS(A, W)                                                                             \
  A(IN, W, x, "k") A(INOUT, W, y, "k") A(INOUT, u32, overflow, "1") A(VALUE, u32, semiring, "1", semiring, "1")
