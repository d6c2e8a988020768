/* multiply on CUDA, and multiply_parts, which other rows use. */
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
  return multiply_slices<W>(L, a->semiring, a->positive, {a->into, a->r}, {a->left, a->q}, {a->right, a->r}, a->p, a->r, a->q, ALL_DEPTH,
                            a->overflow, stream);
}
