/* Counts the triangles u < v < w whose middle vertex v is listed, at each of their vertices, one block per vertex v: like intersect_hashed, which
 * counts them only at v. How many triangles each w closes is counted in the block's memory. */
#include "graph/hashed.h"

#define CORNERS_HASHED_ARGS(A, W)                                                                           \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u64, edge, "m")               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, into, "m", vertex, "m")                                   \
  A(IN, u32, heavy, "n+1", vertex_queue, "n") A(VALUE, u32, k, "1", upto, "n") A(INOUT, i64, at, "n")
ARGS(corners_hashed, CORNERS_HASHED_ARGS)
SHAPE(corners_hashed, 512, 3, 32 * 1024)

TILE_BODY(corners_hashed) {
  (void)push, (void)count;
  TILE_MEMORY(u32, table, 2 * HASHED_SLOTS); /* the hash table; then the number of triangles of the vertex in each slot */
  if (tile >= a->heavy[0]) return;
  const u32 v = a->heavy[1 + tile], last = a->off[v + 1];
  for (u32 first = a->off[v]; first < last; first += HASHED_AT_ONCE) {
    const u32 here = last - first < HASHED_AT_ONCE ? last - first : HASHED_AT_ONCE;
    const u32 slots = hashed_slots(here);
    EACH(i, j)
      for (u32 s = i * TILE + j; s < slots; s += TILE * TILE) {
        table[s] = LS_NO_VERTEX;
        table[HASHED_SLOTS + s] = 0;
      }
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
        u32 mine = 0;
        for (u32 k = e + 1 + j; k < end; k += TILE) {
          const u32 x = a->to[k];
          u32 s = HASHED_SLOT(x, slots);
          HASHED_FIND(table, slots, s, x)
          if (table[s] != x) continue;
          atomic_add(&table[HASHED_SLOTS + s], 1u);
          mine++;
        }
        if (mine) atomic_add(&a->at[u], (i64)mine);
        found += mine;
      }
    }
    if (found) atomic_add(&a->at[v], (i64)found);
    TILE_SYNC;
    EACH(i, j)
      for (u32 s = i * TILE + j; s < slots; s += TILE * TILE) {
        const u32 closed = table[HASHED_SLOTS + s];
        if (closed) atomic_add(&a->at[table[s]], (i64)closed);
      }
    TILE_SYNC;
  }
}
