/* What the three phases of blocked Floyd-Warshall share. The matrix D is n x n, stored row by row, and covered by tiles of
 * 32 x 32; where a tile goes beyond the matrix, its elements are "no path". */
#include "common/minplus.h"

#ifndef FW_TILE_H
#define FW_TILE_H
#define FW_TILE_ARGS(A, W)                                                                                  \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, k, "1", index, "tiles")                  \
  A(VALUE, u32, tiles, "1", tiles, "n")
#define LOAD_TILE(T, D, n, ti, tj)                                       \
  EACH(i, j) {                                                           \
    u32 row = (ti) * TILE + i, col = (tj) * TILE + j;                    \
    T[i][j] = row < (n) && col < (n) ? (D)[(u64)row * (n) + col] : NO_PATH; \
  }
#define STORE_TILE(T, D, n, ti, tj)                                      \
  EACH(i, j) {                                                           \
    u32 row = (ti) * TILE + i, col = (tj) * TILE + j;                    \
    if (row < (n) && col < (n)) (D)[(u64)row * (n) + col] = T[i][j];     \
  }
#endif
