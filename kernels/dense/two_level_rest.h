/* Phase 3 of blocked Floyd-Warshall by two-level blocking. Okuyama 2013, 4.3.3: a block of tile * sub threads updates `l` tiles,
 * one after the other; `sub` columns and `sub` rows of the two tiles of the product are in shared memory at a time. A LIBRARY
 * row.
 *
 * paper errs: 004, figure 4.10, line 11: i2 must start at 0: from 1 on, the first t' rows of the tile are never updated.
 *
 * paper errs: 004, figure 4.10, line 13: B and C hold t' columns and rows at a time, so that their index is k2; the listing takes
 * k, which is beyond them after the first pass of line 4. */
#include "dense/dense.h"

#define TWO_LEVEL_REST_ARGS(A, W) CLOSE_ARGS(A, W) A(VALUE, u32, sub, "1", sub_size, "1") A(VALUE, u32, l, "1")
