/* close_cross on CUDA: in tiles of 64 x 64, or by a matrix product if tiles are larger. */
#include "dense/close.h"
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(close_cross) {
  part_of<W> p = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  ls_status st = close_range("close_cross", a->n, a->k, a->tiles, a->tile, &p.k0, &p.k1);
  if (st || a->tiles == 1) return st;
  if (a->tile <= INNER) {
    cross_tiles(a->semiring, a->positive, p, stream);
    return LS_OK;
  }
  const u32 n = a->n, deep = p.k1 - p.k0; /* the pivot itself is left out of both products */
  W *row = a->D + (u64)p.k0 * n, *col = a->D + p.k0;
  const matrix_at<const W> pivot = {row + p.k0, n};
  st = multiply_parts(L, a->semiring, a->positive, matrix_at<W>{row, n}, pivot, matrix_at<const W>{row, n}, deep, n, deep,
                      left_out{0, 0, p.k0, p.k1}, ALL_DEPTH, a->overflow, stream);
  if (st) return st;
  return multiply_parts(L, a->semiring, a->positive, matrix_at<W>{col, n}, matrix_at<const W>{col, n}, pivot, n, deep, deep,
                        left_out{p.k0, p.k1, 0, 0}, ALL_DEPTH, a->overflow, stream);
}
