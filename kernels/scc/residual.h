/* Lists the residual edges, which may be inside a component: both ends are live, in the same region and in the same class. */
#include "scc/scc.h"

#define RESIDUAL_ARGS(A, W)                                                                                 \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, mark, "n")               \
  A(QOUT, u64, edges, "m+1", edge_queue, "n") A(COUNT, u32, kept, "1")
ARGS(residual, RESIDUAL_ARGS)

SELECT(residual) { return a->mark[v] != SETTLED; }

EDGES_BODY(residual) {
  u32 t = a->to[e];
  if (t == v || a->mark[t] != a->mark[v]) return;
  count->kept++;
  PUSH(edges, edge_item(v, t));
}
