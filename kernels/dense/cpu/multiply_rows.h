/* multiply_rows on a CPU. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(multiply_rows) {
  UNUSED_LIBRARY;
  ls_status st = rows_fit(a->first, a->rows, a->p);
  if (st) return st;
  const LS_JOIN(matrix, W) into = {a->into + (u64)a->first * a->r, a->r},
                           left = {(W *)(uintptr_t)a->left + (u64)a->first * a->q, a->q}, right = {(W *)(uintptr_t)a->right, a->r};
  return LS_JOIN(multiply_slices, W)(L, into, left, right, a->rows, a->r, a->q, a->semiring, a->positive, a->overflow);
}
