/* Arguments and tile access for the rows of blocked Floyd-Warshall. The matrix D is n x n, in row-major order, and covered by
 * tiles; elements of a tile outside the matrix are "no path". The plain rows fw_... use tiles of 32 x 32, one block of threads
 * per tile. The fast rows close_... use tiles of any size and have one body per processor. */
#include "common/minplus.h"
#include "dense/semiring.h"

#ifndef FW_TILE_H
#define FW_TILE_H
#define FW_TILE_ARGS(A, W)                                                                                  \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, k, "1", index, "tiles")                  \
  A(VALUE, u32, tiles, "1", tiles, "n")
#define LOAD_TILE(T, D, n, ti, tj)                                       \
  EACH(i, j) {                                                           \
    u32 row = (ti) * TILE + i, col = (tj) * TILE + j;                    \
    T[i][j] = row < (n) && col < (n) ? (D)[(u64)row * (n) + col] : (W)NO_PATH; \
  }
#define STORE_TILE(T, D, n, ti, tj)                                      \
  EACH(i, j) {                                                           \
    u32 row = (ti) * TILE + i, col = (tj) * TILE + j;                    \
    if (row < (n) && col < (n)) (D)[(u64)row * (n) + col] = T[i][j];     \
  }

/* positive = 1 promises that no element is negative (-inf of MAX_PLUS excepted); a negative element sets the overflow flag. */
#define CLOSE_ARGS(A, W)                                                                                    \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, k, "1", index, "tiles")                  \
  A(VALUE, u32, tiles, "1") A(VALUE, u32, tile, "1", tile_size, "1")                                        \
  A(VALUE, u32, semiring, "1", closing, "1") A(VALUE, u32, positive, "1", flag, "1")
enum { INNER = 64 }; /* a larger tile is closed in tiles of INNER x INNER */
#endif
