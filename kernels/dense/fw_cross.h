/* Phase 2 of blocked Floyd-Warshall: updates the tiles in the row and in the column of the pivot, the k-th diagonal tile.
 * Tiles 0 to tiles-2 are in the row, the others in the column.
 *
 * paper errs: 004, figure 4.2, lines 5 and 7: the comments are exchanged: T(I,K) are the pivot's column, T(K,J) its row, as
 * section 4.2.1 defines them. */
#include "dense/dense.h"

#define FW_CROSS_ARGS(A, W) FW_TILE_ARGS(A, W)
ARGS(fw_cross, FW_CROSS_ARGS)

TILE_BODY(fw_cross) {
  (void)push, (void)count;
  TILE_ARRAY(W, P);
  TILE_ARRAY(W, T);
  const bool column = tile >= a->tiles - 1;
  u32 other = column ? tile - (a->tiles - 1) : tile;
  if (other >= a->k) other++;
  const u32 ti = column ? other : a->k, tj = column ? a->k : other;
  LOAD_TILE(P, a->D, a->n, a->k, a->k)
  LOAD_TILE(T, a->D, a->n, ti, tj)
  TILE_SYNC;
  for (u32 k = 0; k < TILE; k++) {
    EACH(i, j) {
      W through = column ? PLUS(T[i][k], P[k][j], a->overflow) : PLUS(P[i][k], T[k][j], a->overflow);
      if ((column ? j : i) != k && through < T[i][j]) T[i][j] = through;
    }
    TILE_SYNC;
  }
  STORE_TILE(T, a->D, a->n, ti, tj)
}
