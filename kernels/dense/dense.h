/* What the rows of blocked Floyd-Warshall share. The matrix D is n x n, stored row by row, and covered by tiles; where a
 * tile goes beyond the matrix, its elements are "no path". The plain rows fw_... have tiles of 32 x 32, a block of threads
 * each. The fast rows close_... have tiles of any size, and bodies of their own. */
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

/* positive = 1 promises that no element is negative (in MAX_PLUS: no finite one); what breaks it sets the flag. */
#define CLOSE_ARGS(A, W)                                                                                    \
  A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, k, "1", index, "tiles")                  \
  A(VALUE, u32, tiles, "1") A(VALUE, u32, tile, "1", tile_size, "1")                                        \
  A(VALUE, u32, semiring, "1", closing, "1") A(VALUE, u32, positive, "1", flag, "1")
enum { INNER = 64 }; /* edge of the tiles by which a larger tile is closed */
#endif
