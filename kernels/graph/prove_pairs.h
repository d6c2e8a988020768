/* Finds both keys of each edge in the rows, and marks the first of equal keys as found. */
#include "graph/pairs.h"

#define PROVE_PAIRS_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u64, key, "k")                \
  A(IN, u32, row, "n+1", offset, "k") A(INOUT, u32, found, "k") A(COUNT, u32, missing, "1")
ARGS(prove_pairs, PROVE_PAIRS_ARGS)

SELECT(prove_pairs) { return (void)a, (void)v, true; }

EDGES_BODY(prove_pairs) {
  (void)push;
  const u32 x = a->to[e];
  if (x == v) return;
  u32 i = a->row[v], k = a->row[x];
  const u32 my_end = a->row[v + 1], their_end = a->row[x + 1];
  SEEK_PAIR(a, i, my_end, PAIR_OF(v, x))
  SEEK_PAIR(a, k, their_end, PAIR_OF(x, v))
  if (i < my_end && k < their_end && a->key[i] == PAIR_OF(v, x) && a->key[k] == PAIR_OF(x, v)) {
    store_relaxed(&a->found[i], 1u);
    store_relaxed(&a->found[k], 1u);
  } else {
    count->missing++;
  }
}
