/* block_multiply on a CPU: in slices as deep as a panel may be. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(block_multiply) {
  UNUSED_LIBRARY;
  const u32 n = a->n, at[3] = {a->i, a->j, a->k}, size[3] = {a->rows, a->cols, a->deep};
  ls_status st = block_fits(n, at, size);
  for (u32 k = a->k, end = a->k + a->deep; !st && k < end; k += PANEL_MOST) {
    const LS_JOIN(matrix, W) to = {a->D + (u64)a->i * n + a->j, n}, left = {a->D + (u64)a->i * n + k, n},
                             right = {a->D + (u64)k * n + a->j, n};
    st = LS_JOIN(multiply_blocks, W)(L, to, left, right, a->rows, a->cols, end - k < PANEL_MOST ? end - k : PANEL_MOST,
                                     (left_out){0, 0, 0, 0}, a->semiring, a->positive, a->overflow);
  }
  return st;
}
