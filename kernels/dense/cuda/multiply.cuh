/* multiply on CUDA: in slices as deep as a product may be. */
#include "dense/cuda/panels.cuh"

ls_status multiply_parts(ls_launch *L, u32 semiring, bool positive, matrix_at<W> C, matrix_at<const W> A, matrix_at<const W> B,
                         u32 rows, u32 cols, u32 depth, left_out no, needed of, u32 *overflow, cudaStream_t stream) {
  const auto add = [&](auto r) {
    return multiply_panels<typename decltype(r)::many>(L, C, A, B, rows, cols, depth, no, of, overflow, stream);
  };
  if (semiring == PLUS_TIMES) return add(rings<ring<W, PLUS_TIMES, false>, ring<W, PLUS_TIMES, false>>());
  return closing_with<W>(semiring, positive, add);
}

CUDA_LIBRARY(multiply) {
  const u32 q = a->q, cols = a->r;
  ls_status st = LS_OK;
  for (u32 k = 0; !st && k < q; k += PANEL_MOST)
    st = multiply_parts(L, a->semiring, a->positive, matrix_at<W>{a->into, cols}, matrix_at<const W>{a->left + k, q},
                        matrix_at<const W>{a->right + (u64)k * cols, cols}, a->p, cols, q - k < PANEL_MOST ? q - k : PANEL_MOST,
                        left_out{0, 0, 0, 0}, ALL_DEPTH, a->overflow, stream);
  return st;
}
