/* Counts the vertices whose number of triangles differs from the number that prove_corners and prove_wide found; and those that share their
 * place in the order with another vertex: sorted[i] is the i-th of the keys of prove_ends. */
#include "language/kernel.h"

#define PROVE_COUNTS_ARGS(A, W)                                                                             \
  A(IN, i64, corners, "n") A(IN, u32, order, "n") A(IN, u64, sorted, "n") A(IN, i64, at, "n")               \
  A(COUNT, u32, wrong, "1") A(COUNT, u32, strange, "1")
ARGS(prove_counts, PROVE_COUNTS_ARGS)

VERTEX_BODY(prove_counts) {
  (void)push;
  const u32 place = a->order[v];
  if (place >= a->n || (u32)a->sorted[place] != v)
    count->strange++;
  else
    count->wrong += a->corners[place] != a->at[v];
}
