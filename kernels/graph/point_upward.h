/* Makes an edge of each marked pair, from the vertex that is earlier in the order to the later one. Vertices are renumbered by their
 * places in the order. If the order is by the number of neighbours, no vertex has more than sqrt(2 m) successors. An edge is
 * stored as a key by which it is sorted into rows: source, then target. */
#include "language/kernel.h"

#define POINT_UPWARD_ARGS(A, W)                                                                             \
  A(IN, u64, key, "m") A(IN, u32, keep, "m") A(IN, u32, place, "m") A(IN, u32, order, "n")                  \
  A(VALUE, u32, kept, "1", upto, "k") A(INOUT, u64, edge, "k")
ARGS(point_upward, POINT_UPWARD_ARGS)

ELEMENT_BODY(point_upward) {
  (void)push, (void)count;
  const u32 low = (u32)(a->key[i] >> 32), high = (u32)a->key[i];
  if (!a->keep[i] || a->place[i] >= a->kept || low >= a->n || high >= a->n) return;
  const u32 x = a->order[low], y = a->order[high];
  a->edge[a->place[i]] = x < y ? (u64)x << 32 | y : (u64)y << 32 | x;
}
