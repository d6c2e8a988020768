/* multiply_rows on a CPU: in slices as deep as a panel may be. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(multiply_rows) {
  UNUSED_LIBRARY;
  const u32 q = a->q, cols = a->r;
  ls_status st = rows_fit(a->first, a->rows, a->p);
  for (u32 k = 0; !st && k < q; k += PANEL_MOST) {
    const LS_JOIN(matrix, W) into = {a->into + (u64)a->first * cols, cols},
                             left = {(W *)(uintptr_t)a->left + (u64)a->first * q + k, q},
                             right = {(W *)(uintptr_t)a->right + (u64)k * cols, cols};
    st = LS_JOIN(multiply_blocks, W)(L, into, left, right, a->rows, cols, q - k < PANEL_MOST ? q - k : PANEL_MOST,
                                     (left_out){0, 0, 0, 0}, a->semiring, a->positive, a->overflow);
  }
  return st;
}
