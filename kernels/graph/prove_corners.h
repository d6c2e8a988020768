/* Counts the triangles u < v < x of each pair of joined vertices u, v, if the upper part of v's row has at most `most` keys: the common
 * neighbours of u and v after v, searched for in the longer of the two rows. Also counts keys that no edge has. */
#include "graph/pairs.h"

#define PROVE_CORNERS_ARGS(A, W)                                                                            \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(IN, u32, back, "k")                            \
  A(IN, u32, upper, "n", upto, "k") A(VALUE, u32, most, "1") A(INOUT, i64, corners, "n") A(COUNT, u32, strange, "1")
ARGS(prove_corners, PROVE_CORNERS_ARGS)

ELEMENT_BODY(prove_corners) {
  (void)push;
  const u64 key = a->key[i];
  const u32 u = (u32)(key >> 32), v = (u32)key;
  if (key == NO_PAIR || (i > 0 && a->key[i - 1] == key)) return;
  if (u >= a->n || v >= a->n || !a->back[i]) {
    count->strange++;
    return;
  }
  if (u > v) return;
  const u32 mine = (u32)i + 1, my_end = a->row[u + 1], theirs = a->upper[v], their_end = a->row[v + 1];
  if (mine >= my_end || theirs >= their_end || their_end - theirs > a->most) return;
  const bool shorter = my_end - mine <= their_end - theirs;
  const u32 many = shorter ? v : u, end = shorter ? my_end : their_end, past = shorter ? their_end : my_end;
  u32 j = shorter ? mine : theirs, k = shorter ? theirs : mine;
  i64 common = 0;
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
