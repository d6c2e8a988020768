/* Removes an edge if its ends have different maxima (then they are in different components), or if its ends are settled.
 * Alabandi et al. 2023 (ECL-SCC). */
#include "scc/scc.h"

#define REMOVE_EDGES_ARGS(A, W)                                                                             \
  A(QIN, u64, edges, "k", edge_queue, "n") A(IN, u32, max_in, "n", scattered, "n")                          \
  A(IN, u32, max_out, "n", scattered, "n") A(QOUT, u64, edges_next, "k", edge_queue, "n")                   \
  A(COUNT, u32, kept, "1")
ARGS(remove_edges, REMOVE_EDGES_ARGS)

QUEUE_BODY(remove_edges) {
  u32 u = edge_from(item), v = edge_to(item), in = a->max_in[u], out = a->max_out[u];
  if (in == out || a->max_in[v] != in || a->max_out[v] != out) return;
  count->kept++;
  PUSH(edges_next, item);
}
