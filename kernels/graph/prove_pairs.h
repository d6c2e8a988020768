/* Finds both keys of each edge in the rows. For the first of equal keys, back[i] becomes 1 + the index of the first key with the
 * same two vertices in the other order; it stays 0 for a key that no edge has. */
#include "graph/pairs.h"

#define PROVE_PAIRS_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, order, "n")              \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(INOUT, u32, back, "k") A(COUNT, u32, missing, "1")
ARGS(prove_pairs, PROVE_PAIRS_ARGS)

SELECT(prove_pairs) { return (void)a, (void)v, true; }

EDGES_BODY(prove_pairs) {
  (void)push;
  const u32 t = a->to[e];
  if (t == v) return;
  const u32 x = a->order[v], y = a->order[t];
  if (x >= a->n || y >= a->n) {
    count->missing++;
    return;
  }
  u32 i = a->row[x], k = a->row[y];
  const u32 my_end = a->row[x + 1], their_end = a->row[y + 1];
  SEEK_PAIR(a, i, my_end, PAIR_OF(x, y))
  SEEK_PAIR(a, k, their_end, PAIR_OF(y, x))
  if (i < my_end && k < their_end && a->key[i] == PAIR_OF(x, y) && a->key[k] == PAIR_OF(y, x)) {
    store_relaxed(&a->back[i], k + 1);
    store_relaxed(&a->back[k], i + 1);
  } else {
    count->missing++;
  }
}
