/* Phase 3 of blocked Floyd-Warshall: updates every other tile by the product of two tiles of phase 2, the one in its row and
 * the one in its column. */
#include "dense/dense.h"

#define FW_REST_ARGS(A, W) FW_TILE_ARGS(A, W)
ARGS(fw_rest, FW_REST_ARGS)

TILE_BODY(fw_rest) {
  (void)push, (void)count;
  TILE_ARRAY(W, L);
  TILE_ARRAY(W, R);
  u32 ti = tile / (a->tiles - 1), tj = tile % (a->tiles - 1);
  ti += ti >= a->k, tj += tj >= a->k;
  LOAD_TILE(L, a->D, a->n, ti, a->k)
  LOAD_TILE(R, a->D, a->n, a->k, tj)
  TILE_SYNC;
  EACH(i, j) {
    u32 row = ti * TILE + i, col = tj * TILE + j;
    if (row >= a->n || col >= a->n) continue;
    W best = a->D[(u64)row * a->n + col];
    for (u32 k = 0; k < TILE; k++) {
      W through = PLUS(L[i][k], R[k][j], a->overflow);
      if (through < best) best = through;
    }
    a->D[(u64)row * a->n + col] = best;
  }
}
