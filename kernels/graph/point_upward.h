/* Makes an edge of each marked pair, from the vertex of lower degree to that of higher degree (ties: to the larger number). With only
 * these edges no vertex has more than sqrt(2 m) successors, and each triangle is found once, at its lowest vertex. An edge is a key
 * by which it is sorted into rows: source, then target. */
#include "language/kernel.h"

#define POINT_UPWARD_ARGS(A, W)                                                                             \
  A(IN, u64, key, "m") A(IN, u32, keep, "m") A(IN, u32, place, "m") A(IN, u32, degree, "n")                 \
  A(VALUE, u32, kept, "1", upto, "k") A(INOUT, u64, edge, "k")
ARGS(point_upward, POINT_UPWARD_ARGS)

ELEMENT_BODY(point_upward) {
  (void)push, (void)count;
  const u32 low = (u32)(a->key[i] >> 32), high = (u32)a->key[i];
  if (!a->keep[i] || a->place[i] >= a->kept || low >= a->n || high >= a->n) return;
  const u32 mine = a->degree[low], theirs = a->degree[high];
  const bool up = mine < theirs || (mine == theirs && low < high);
  a->edge[a->place[i]] = up ? a->key[i] : (u64)high << 32 | low;
}
