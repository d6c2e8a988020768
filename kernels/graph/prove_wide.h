/* Counts the triangles u < v < x whose middle vertex v is listed, one block per vertex v: copies the upper part of v's row into the
 * block's memory; then, for each u before v, searches there for the keys after v in u's row. The vertices listed last, with the most
 * neighbours, are processed first. */
#include "graph/pairs.h"

#define PROVE_WIDE_ARGS(A, W)                                                                               \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(IN, u32, back, "k")                            \
  A(IN, u32, upper, "n", upto, "k") A(IN, u32, wide, "n+1", vertex_queue, "n")                           \
  A(VALUE, u32, blocks, "1", upto, "n") A(INOUT, i64, corners, "n")
ARGS(prove_wide, PROVE_WIDE_ARGS)
SHAPE(prove_wide, 512, 3, 8 * 1024)

#ifndef LS_PROVE_WIDE
#define LS_PROVE_WIDE
enum { WIDE_AT_ONCE = 1024 };
#endif

TILE_BODY(prove_wide) {
  (void)push, (void)count;
  TILE_MEMORY(u32, memory, 2 * WIDE_AT_ONCE); /* neighbours of v after v, in order; then how many triangles each closes */
  if (tile >= a->wide[0]) return;
  const u32 v = a->wide[a->wide[0] - tile], middle = a->upper[v], last = a->row[v + 1];
  for (u32 first = middle; first < last; first += WIDE_AT_ONCE) {
    while (first > middle && first < last && a->key[first] == a->key[first - 1]) first++; /* each neighbour is in one part only */
    if (first == last) break;
    const u32 here = last - first < WIDE_AT_ONCE ? last - first : WIDE_AT_ONCE;
    EACH(i, j)
      for (u32 s = i * TILE + j; s < here; s += TILE * TILE) {
        memory[s] = (u32)a->key[first + s];
        memory[WIDE_AT_ONCE + s] = 0;
      }
    TILE_SYNC;
    u32 found = 0;
    for (u32 from = a->row[v]; from < middle; from += TILE) {
      EACH(i, j) {
        const u32 at = from + i;
        if (at >= middle || (at > a->row[v] && a->key[at - 1] == a->key[at])) continue;
        const u32 u = (u32)a->key[at], begin = a->back[at];
        if (begin == 0 || u >= a->n) continue;
        const u32 end = a->row[u + 1];
        u32 mine = 0;
        for (u32 k = begin + j; k < end; k += TILE) {
          const u64 key = a->key[k];
          if (a->key[k - 1] == key) continue;
          u32 low = 0, high = here;
          while (low < high) {
            const u32 half = (low + high) / 2;
            if (memory[half] < (u32)key)
              low = half + 1;
            else
              high = half;
          }
          if (low == here || memory[low] != (u32)key) continue;
          atomic_add(&memory[WIDE_AT_ONCE + low], 1u);
          mine++;
        }
        if (mine) atomic_add(&a->corners[u], (i64)mine);
        found += mine;
      }
    }
    if (found) atomic_add(&a->corners[v], (i64)found);
    TILE_SYNC;
    EACH(i, j)
      for (u32 s = i * TILE + j; s < here; s += TILE * TILE) {
        const u32 closed = memory[WIDE_AT_ONCE + s];
        if (closed && memory[s] < a->n) atomic_add(&a->corners[memory[s]], (i64)closed);
      }
    TILE_SYNC;
  }
}
