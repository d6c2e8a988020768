/* close_rest on CUDA: in tiles of 64 x 64, or by a matrix product if tiles are larger. */
#include "dense/close.h"
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(close_rest) {
  part_of<W> p = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  const ls_status st = close_range("close_rest", a->n, a->k, a->tiles, a->tile, &p.k0, &p.k1);
  if (st || a->tiles == 1) return st;
  if (a->tile <= INNER) {
    rest_tiles(a->semiring, a->positive, p, stream);
    return LS_OK;
  }
  const u32 n = a->n;
  for (u32 k = p.k0; k < p.k1; k += PANEL_MOST) {
    const ls_status went = multiply_parts(L, a->semiring, a->positive, matrix_at<W>{a->D, n}, matrix_at<const W>{a->D + k, n},
                                          matrix_at<const W>{a->D + (u64)k * n, n}, n, n,
                                          p.k1 - k < PANEL_MOST ? p.k1 - k : PANEL_MOST, left_out{p.k0, p.k1, p.k0, p.k1},
                                          ALL_DEPTH, a->overflow, stream);
    if (went) return went;
  }
  return LS_OK;
}
