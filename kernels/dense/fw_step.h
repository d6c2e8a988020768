/* One step of textbook Floyd-Warshall: every path may now pass through vertex k. */
#include "dense/dense.h"

#define FW_STEP_ARGS(A, W)                                                                                  \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, k, "1", index, "n")                      \
  A(VALUE, u32, tiles, "1", tiles, "n")
ARGS(fw_step, FW_STEP_ARGS)

TILE_BODY(fw_step) {
  (void)push, (void)count;
  const u32 ti = tile / a->tiles, tj = tile % a->tiles;
  EACH(i, j) {
    const u32 row = ti * TILE + i, col = tj * TILE + j;
    if (row >= a->n || col >= a->n || row == a->k || col == a->k) continue; /* row and column k are read by all others */
    W *cell = &a->D[(u64)row * a->n + col];
    const W through = PLUS(a->D[(u64)row * a->n + a->k], a->D[(u64)a->k * a->n + col], a->overflow);
    if (through < *cell) *cell = through;
  }
}
