/* block_multiply on CUDA. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(block_multiply) {
  const u32 n = a->n, at[3] = {a->i, a->j, a->k}, size[3] = {a->rows, a->cols, a->deep};
  ls_status st = block_fits(n, at, size);
  if (st) return st;
  const needed above = {(i64)a->i - a->k, (i64)a->j - a->k};
  return multiply_slices<W>(L, a->semiring, a->positive, {a->D + (u64)a->i * n + a->j, n}, {a->D + (u64)a->i * n + a->k, n},
                            {a->D + (u64)a->k * n + a->j, n}, a->rows, a->cols, a->deep, a->upper ? above : ALL_DEPTH, a->overflow, stream);
}
