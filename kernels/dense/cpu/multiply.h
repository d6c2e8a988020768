/* multiply on a CPU: in slices as deep as a panel may be. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(multiply) {
  UNUSED_LIBRARY;
  const u32 rows = a->p, q = a->q, cols = a->r;
  ls_status st = LS_OK;
  for (u32 k = 0; !st && k < q; k += PANEL_MOST) {
    const LS_JOIN(matrix, W) into = {a->into, cols}, left = {(W *)(uintptr_t)a->left + k, q},
                             right = {(W *)(uintptr_t)a->right + (u64)k * cols, cols};
    st = LS_JOIN(multiply_blocks, W)(L, into, left, right, rows, cols, q - k < PANEL_MOST ? q - k : PANEL_MOST,
                                     (left_out){0, 0, 0, 0}, a->semiring, a->positive, a->overflow);
  }
  return st;
}
