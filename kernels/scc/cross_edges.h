/* Lists the edges between classes, as edges between the vertices that represent the classes. Many edges join the same two
 * classes, so a hash table of recently listed edges filters out most duplicates. */
#include "language/kernel.h"

#define CROSS_EDGES_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, id, "n", vertex, "n")    \
  A(INOUT, u64, recent, "1048576") A(QOUT, u64, edges, "m+1", edge_queue, "n") A(COUNT, u32, kept, "1")
ARGS(cross_edges, CROSS_EDGES_ARGS)

SELECT(cross_edges) { return (void)a, (void)v, true; }

EDGES_BODY(cross_edges) {
  const u32 from = a->id[v], into = a->id[a->to[e]];
  if (from == into) return;
  const u64 edge = edge_item(from, into);
  u64 *slot = &a->recent[(edge * 0x9e3779b97f4a7c15ull >> 32) % (1u << 20)];
  if (load_relaxed(slot) == edge) return;
  store_relaxed(slot, edge);
  count->kept++;
  PUSH(edges, edge);
}
