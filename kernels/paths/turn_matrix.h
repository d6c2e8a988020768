/* Transposes a matrix: y (columns x rows) becomes the transpose of x (rows x columns). */
#include "language/kernel.h"

#define TURN_MATRIX_ARGS(A, W)                                                                              \
  A(IN, W, x, "rows*columns") A(OUT, W, y, "rows*columns") A(VALUE, u32, rows, "1") A(VALUE, u32, columns, "1")
ARGS(turn_matrix, TURN_MATRIX_ARGS)

ELEMENT_BODY(turn_matrix) {
  UNUSED_BODY;
  a->y[i % a->columns * a->rows + i / a->columns] = a->x[i];
}
