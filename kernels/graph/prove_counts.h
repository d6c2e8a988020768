/* Counts the vertices whose number of triangles differs from the number that prove_corners found. */
#include "language/kernel.h"

#define PROVE_COUNTS_ARGS(A, W) A(IN, i64, corners, "n") A(IN, i64, at, "n") A(COUNT, u32, wrong, "1")
ARGS(prove_counts, PROVE_COUNTS_ARGS)

VERTEX_BODY(prove_counts) {
  (void)push;
  count->wrong += a->corners[v] != a->at[v];
}
