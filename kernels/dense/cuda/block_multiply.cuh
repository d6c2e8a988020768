/* block_multiply on CUDA: in slices as deep as a product may be. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(block_multiply) {
  const u32 n = a->n, at[3] = {a->i, a->j, a->k}, size[3] = {a->rows, a->cols, a->deep};
  ls_status st = block_fits(n, at, size);
  for (u32 k = a->k, end = a->k + a->deep; !st && k < end; k += PANEL_MOST) {
    const needed above = {(i64)a->i - k, (i64)a->j - k};
    st = multiply_parts(L, a->semiring, a->positive, matrix_at<W>{a->D + (u64)a->i * n + a->j, n},
                        matrix_at<const W>{a->D + (u64)a->i * n + k, n}, matrix_at<const W>{a->D + (u64)k * n + a->j, n},
                        a->rows, a->cols, end - k < PANEL_MOST ? end - k : PANEL_MOST, left_out{0, 0, 0, 0},
                        a->upper ? above : ALL_DEPTH, a->overflow, stream);
  }
  return st;
}
