/* Counts the triangles u < v < x of each pair of joined vertices u, v: their common neighbours above v, searched for in the longer of the
 * two rows. Also counts keys that no edge has. */
#include "graph/pairs.h"

#define PROVE_CORNERS_ARGS(A, W)                                                                            \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(IN, u32, found, "k")                           \
  A(INOUT, i64, corners, "n") A(COUNT, u32, strange, "1")
ARGS(prove_corners, PROVE_CORNERS_ARGS)

ELEMENT_BODY(prove_corners) {
  (void)push;
  const u64 key = a->key[i];
  const u32 u = (u32)(key >> 32), v = (u32)key;
  if (key == NO_PAIR || (i > 0 && a->key[i - 1] == key)) return;
  if (u >= a->n || v >= a->n || !a->found[i]) {
    count->strange++;
    return;
  }
  if (u > v) return;
  const bool mine = a->row[u + 1] - a->row[u] <= a->row[v + 1] - a->row[v];
  const u32 few = mine ? u : v, many = mine ? v : u, end = a->row[few + 1], past = a->row[many + 1];
  u32 j = a->row[few], k = a->row[many];
  i64 common = 0;
  SEEK_PAIR(a, j, end, PAIR_OF(few, v) + 1)
  SEEK_PAIR(a, k, past, PAIR_OF(many, v) + 1)
  for (; j < end && k < past; j++) {
    const u64 next = a->key[j], wanted = PAIR_OF(many, (u32)next);
    if ((u32)next >= a->n || (j > 0 && a->key[j - 1] == next)) continue;
    SEEK_PAIR(a, k, past, wanted)
    if (k == past || a->key[k] != wanted) continue;
    atomic_add(&a->corners[(u32)next], (i64)1);
    common++;
  }
  if (common == 0) return;
  atomic_add(&a->corners[u], common);
  atomic_add(&a->corners[v], common);
}
