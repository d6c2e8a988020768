/* multiply_rows on CUDA: in slices as deep as a product may be. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(multiply_rows) {
  const u32 q = a->q, cols = a->r;
  ls_status st = rows_fit(a->first, a->rows, a->p);
  for (u32 k = 0; !st && k < q; k += PANEL_MOST)
    st = multiply_parts(L, a->semiring, a->positive, matrix_at<W>{a->into + (u64)a->first * cols, cols},
                        matrix_at<const W>{a->left + (u64)a->first * q + k, q}, matrix_at<const W>{a->right + (u64)k * cols, cols},
                        a->rows, cols, q - k < PANEL_MOST ? q - k : PANEL_MOST, left_out{0, 0, 0, 0}, ALL_DEPTH, a->overflow, stream);
  return st;
}
