/* Counts the triangles u < v < w whose middle vertex v is listed, one block per vertex v: puts v's row into a hash table in the block's
 * memory; then, for each predecessor u, one warp looks up the elements after v in u's row. An element costs one look-up,
 * while merging would also scan v's row again for each u (TRUST: Pandey et al. 2021). */
#include "graph/hashed.h"

#define INTERSECT_HASHED_ARGS(A, W)                                                                         \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u64, edge, "m")               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, into, "m", vertex, "m")                                   \
  A(IN, u32, heavy, "n+1", vertex_queue, "n") A(VALUE, u32, k, "1", upto, "n") A(INOUT, i64, closed, "n")
ARGS(intersect_hashed, INTERSECT_HASHED_ARGS)
SHAPE(intersect_hashed, 256, 6, 16 * 1024)

TILE_BODY(intersect_hashed) {
  (void)push, (void)count;
  TILE_MEMORY(u32, table, HASHED_SLOTS);
  if (tile >= a->heavy[0]) return;
  const u32 v = a->heavy[1 + tile], last = a->off[v + 1];
  for (u32 first = a->off[v]; first < last; first += HASHED_AT_ONCE) {
    const u32 here = last - first < HASHED_AT_ONCE ? last - first : HASHED_AT_ONCE;
    const u32 slots = hashed_slots(here);
    EACH(i, j)
      for (u32 s = i * TILE + j; s < slots; s += TILE * TILE) table[s] = LS_NO_VERTEX;
    TILE_SYNC;
    HASHED_FILL(a, table, slots, first, here)
    TILE_SYNC;
    u32 found = 0;
    for (u32 from = a->roff[v]; from < a->roff[v + 1]; from += TILE) {
      EACH(i, j) {
        if (from + i >= a->roff[v + 1]) continue;
        const u32 e = a->into[from + i], u = (u32)(a->edge[e] >> 32);
        if (u >= a->n) continue;
        const u32 end = a->off[u + 1];
        for (u32 k = e + 1 + j; k < end; k += TILE) {
          const u32 x = a->to[k];
          u32 s = HASHED_SLOT(x, slots);
          HASHED_FIND(table, slots, s, x)
          found += table[s] == x;
        }
      }
    }
    if (found) atomic_add(&a->closed[v], (i64)found);
    TILE_SYNC;
  }
}
