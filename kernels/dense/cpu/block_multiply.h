/* block_multiply on a CPU. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(block_multiply) {
  UNUSED_LIBRARY;
  const u32 n = a->n, at[3] = {a->i, a->j, a->k}, size[3] = {a->rows, a->cols, a->deep};
  ls_status st = block_fits(n, at, size);
  if (st) return st;
  const LS_JOIN(matrix, W) to = {a->D + (u64)a->i * n + a->j, n}, left = {a->D + (u64)a->i * n + a->k, n},
                           right = {a->D + (u64)a->k * n + a->j, n};
  return LS_JOIN(multiply_slices, W)(L, to, left, right, a->rows, a->cols, a->deep, a->semiring, a->positive, a->overflow);
}
