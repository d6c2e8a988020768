/* Computes the row offsets of a part of a graph: part_off[v] is the place to which keep_edges moves v's first marked edge. */
#include "language/kernel.h"

#define KEEP_ROWS_ARGS(A, W)                                                                                \
  A(IN, u32, off, "n+1", rows, "m") A(IN, u32, place, "m", place, "m") A(IN, u32, part_to, "k")             \
  A(VALUE, u32, kept, "1", all, "k") A(OUT, u32, part_off, "n+1", rows, "k")
ARGS(keep_rows, KEEP_ROWS_ARGS)

VERTEX_BODY(keep_rows) {
  (void)push, (void)count;
  const u32 first = a->off[v] < a->m ? a->place[a->off[v]] : a->kept;
  a->part_off[v] = first < a->kept ? first : a->kept;
  if (v == a->n - 1) a->part_off[a->n] = a->kept;
}
