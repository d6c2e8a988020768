/* Permutes the rows and columns of a square matrix: y[i][j] = x[place[i]][place[j]]. Bodies: cpu/matrix_permute.h,
 * cuda/matrix_permute.cuh. */
#include "dense/dense.h"

#define MATRIX_PERMUTE_ARGS(A, W) A(IN, W, x, "n*n") A(IN, u32, place, "n", vertex, "n") A(OUT, W, y, "n*n")
