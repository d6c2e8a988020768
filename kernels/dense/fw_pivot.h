/* Phase 1 of blocked Floyd-Warshall: Floyd-Warshall inside the pivot, the k-th diagonal tile. Venkataraman, Sahni,
 * Mukhopadhyaya 2003. */
#include "dense/dense.h"

#define FW_PIVOT_ARGS(A, W) FW_TILE_ARGS(A, W)
ARGS(fw_pivot, FW_PIVOT_ARGS)

TILE_BODY(fw_pivot) {
  (void)push, (void)count, (void)tile;
  TILE_ARRAY(W, P);
  LOAD_TILE(P, a->D, a->n, a->k, a->k)
  TILE_SYNC;
  for (u32 k = 0; k < TILE; k++) {
    EACH(i, j) {
      W through = PLUS(P[i][k], P[k][j], a->overflow);
      if (i != k && j != k && through < P[i][j]) P[i][j] = through;
    }
    TILE_SYNC;
  }
  STORE_TILE(P, a->D, a->n, a->k, a->k)
}
