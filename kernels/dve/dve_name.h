/* Assigns global numbers to new states, in the order of their candidates' numbers, and finds the state from which each of these
 * candidates was made. */
#include "dve/dve.h"

#define DVE_NAME_ARGS(A, W)                                                                                 \
  A(IN, u32, key, "reach") A(IN, u32, fresh, "reach") A(IN, u32, rank, "reach") A(IN, u32, bits, "pieces")  \
  A(IN, u32, before, "pieces") A(IN, u32, places, "stretch") A(VALUE, u32, reached, "1", upto, "reach")       \
  A(VALUE, u32, pieces, "1") A(VALUE, u32, stretch, "1") A(VALUE, u32, base, "1") A(VALUE, u32, total, "1")   \
  A(VALUE, u32, wide, "1", upto, "stretch") A(VALUE, u32, room, "1") A(VALUE, u32, known, "1", upto, "room")  \
  A(INOUT, u32, name, "room") A(INOUT, u32, from, "reach") A(COUNT, u32, names, "1")
ARGS(dve_name, DVE_NAME_ARGS)

EDGE_BODY(dve_name) {
  (void)push;
  const u32 key = a->key[e], rank = a->rank[e];
  if (!a->fresh[e] || rank >= a->room - a->known || key / 32 >= a->pieces) return;
  u32 low = 0, high = a->wide; /* binary search: the last state whose candidates begin at or before key */
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (a->places[middle] <= key)
      low = middle;
    else
      high = middle;
  }
  a->from[e] = a->base + low;
  const u32 smaller = a->bits[key / 32] & ((1u << key % 32) - 1);
  a->name[a->known + rank] = a->total + a->before[key / 32] + BIT_COUNT(smaller);
  count->names++;
}
