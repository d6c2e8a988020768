/* Phase 3 of blocked Floyd-Warshall by two-level blocking. Okuyama 2013, 4.3.3: a block of tile * sub threads updates `l` tiles,
 * one after the other; `sub` columns and `sub` rows of the two tiles of the product are in shared memory at a time. A LIBRARY
 * row. */
#include "dense/dense.h"

#define TWO_LEVEL_REST_ARGS(A, W) CLOSE_ARGS(A, W) A(VALUE, u32, sub, "1", sub_size, "1") A(VALUE, u32, l, "1")
