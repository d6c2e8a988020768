/* multiply_rows on CUDA. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(multiply_rows) {
  ls_status st = rows_fit(a->first, a->rows, a->p);
  if (st) return st;
  return multiply_slices<W>(L, a->semiring, a->positive, {a->into + (u64)a->first * a->r, a->r}, {a->left + (u64)a->first * a->q, a->q},
                            {a->right, a->r}, a->rows, a->r, a->q, ALL_DEPTH, a->overflow, stream);
}
