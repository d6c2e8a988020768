/* close_upper on a CPU. */
#include "dense/cpu/closing.h"

CPU_LIBRARY(close_upper) {
  UNUSED_LIBRARY;
  const left_out all = {0, 0, 0, 0};
  u32 k0 = 0, k1 = 0;
  ls_status st = close_range("close_upper", a->n, a->k, a->tiles, a->tile, &k0, &k1);
  const u32 n = a->n, deep = k1 - k0, right = n - k1;
  W *at = a->D + (u64)k0 * n;
  const LS_JOIN(matrix, W) pivot = {at + k0, n}, row = {at + k1, n}, col = {a->D + k0, n}, rest = {a->D + k1, n};
  if (!st)
    st = LS_JOIN(multiply_blocks, W)(L, row, pivot, row, deep, right, deep, all, a->semiring, a->positive, a->overflow);
  if (!st) st = LS_JOIN(multiply_blocks, W)(L, col, col, pivot, k0, deep, deep, all, a->semiring, a->positive, a->overflow);
  if (!st) st = LS_JOIN(multiply_blocks, W)(L, rest, col, row, k0, right, deep, all, a->semiring, a->positive, a->overflow);
  return st;
}
