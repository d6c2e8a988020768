/* Copies a matrix to a part of another one. A LIBRARY row. */
#include "dense/part_of_matrix.h"

#define MATRIX_PUT_ARGS(A, W)                                                                               \
  A(IN, W, part, "p*q") A(VALUE, u32, q, "1") A(INOUT, W, D, "rows*cols") A(VALUE, u32, cols, "1") \
  A(VALUE, u32, i, "1", upto, "rows") A(VALUE, u32, j, "1", upto, "cols")
