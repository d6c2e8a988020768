/* Adds the product of two matrices to a third over a semiring, plain form, for any values: a block of threads computes a tile
 * of 32 x 32 of the result and iterates over the tiles of its row of `left` and of its column of `right`. */
#include "dense/dense.h"
#include "dense/plain.h"

#define MULTIPLY_TILE_ARGS(A, W)                                                                            \
  A(IN, W, left, "p*q") A(IN, W, right, "q*r") A(INOUT, W, into, "p*r") A(INOUT, u32, overflow, "1")        \
  A(VALUE, u32, p, "1") A(VALUE, u32, q, "1") A(VALUE, u32, r, "1")                                         \
  A(VALUE, u32, semiring, "1", semiring, "1") A(VALUE, u32, down, "1", tiles, "p")                          \
  A(VALUE, u32, across, "1", tiles, "r")
ARGS(multiply_tile, MULTIPLY_TILE_ARGS)

TILE_BODY(multiply_tile) {
  (void)push, (void)count;
  TILE_ARRAY(W, L);
  TILE_ARRAY(W, R);
  TILE_ARRAY(W, T);
  const u32 i0 = tile / a->across * TILE, j0 = tile % a->across * TILE;
  EACH(i, j) T[i][j] = i0 + i < a->p && j0 + j < a->r ? a->into[(u64)(i0 + i) * a->r + j0 + j] : (W)0;
  for (u32 k0 = 0; k0 < a->q; k0 += TILE) {
    const u32 last = a->q - k0 < TILE ? a->q - k0 : TILE;
    EACH(i, j) {
      L[i][j] = i0 + i < a->p && k0 + j < a->q ? a->left[(u64)(i0 + i) * a->q + k0 + j] : (W)0;
      R[i][j] = k0 + i < a->q && j0 + j < a->r ? a->right[(u64)(k0 + i) * a->r + j0 + j] : (W)0;
    }
    TILE_SYNC;
    EACH(i, j) {
      if (i0 + i >= a->p || j0 + j >= a->r) continue;
      W sum = T[i][j];
      for (u32 k = 0; k < last; k++) sum = PLAIN_MERGE(a->semiring, sum, L[i][k], R[k][j], a->overflow);
      T[i][j] = sum;
    }
    TILE_SYNC;
  }
  EACH(i, j)
    if (i0 + i < a->p && j0 + j < a->r) a->into[(u64)(i0 + i) * a->r + j0 + j] = T[i][j];
}
