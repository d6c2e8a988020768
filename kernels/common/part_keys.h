/* Makes sort keys as source_keys does, for the edges of a part of a graph whose vertices are renumbered: the source's new number,
 * then the edge's index. An edge that is not in the part gets all ones. */
#include "language/kernel.h"

#define PART_KEYS_ARGS(A, W)                                                                                \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, number, "n")             \
  A(OUT, u64, key, "m") A(COUNT, u32, kept, "1")
ARGS(part_keys, PART_KEYS_ARGS)

SELECT(part_keys) { return (void)a, (void)v, true; }

EDGES_BODY(part_keys) {
  (void)push;
  const u32 source = a->number[v];
  const bool keep = source != LS_NO_VERTEX && a->number[a->to[e]] != LS_NO_VERTEX;
  a->key[e] = keep ? (u64)source << 32 | e : ~(u64)0;
  count->kept += keep;
}
