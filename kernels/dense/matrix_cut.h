/* Copies a part of a matrix to a matrix of its own. A LIBRARY row. */
#include "dense/part_of_matrix.h"

#define MATRIX_CUT_ARGS(A, W)                                                                               \
  A(IN, W, D, "rows*cols") A(VALUE, u32, cols, "1") A(VALUE, u32, i, "1", upto, "rows")                     \
  A(VALUE, u32, j, "1", upto, "cols") A(VALUE, u32, q, "1", upto, "cols") A(OUT, W, part, "p*q")
