/* close_upper on CUDA. */
#include "dense/close.h"
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(close_upper) {
  part_of<W> p = {a->D, a->n, 0, 0, 0, 0, a->overflow};
  ls_status st = close_range("close_upper", a->n, a->k, a->tiles, a->tile, &p.lo, &p.hi);
  if (st) return st;
  const left_out all = {0, 0, 0, 0};
  const needed above = {0, ALL_DEPTH.past}, before = {ALL_DEPTH.from, 0}; /* the pivot is a triangle */
  const u32 n = a->n, k0 = p.lo, deep = p.hi - p.lo, right = n - p.hi;
  W *at = a->D + (u64)k0 * n;
  const matrix_at<W> row = {at + p.hi, n}, col = {a->D + k0, n}, rest = {a->D + p.hi, n};
  const matrix_at<const W> pivot = {at + k0, n}, by_row = {row.at, n}, by_col = {col.at, n};
  st = multiply_parts(L, a->semiring, a->positive, row, pivot, by_row, deep, right, deep, all, above, a->overflow, stream);
  if (!st) st = multiply_parts(L, a->semiring, a->positive, col, by_col, pivot, k0, deep, deep, all, before, a->overflow, stream);
  if (!st) st = multiply_parts(L, a->semiring, a->positive, rest, by_col, by_row, k0, right, deep, all, ALL_DEPTH, a->overflow, stream);
  return st;
}
