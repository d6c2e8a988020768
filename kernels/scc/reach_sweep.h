/* One pass over all edges that searches forward and backward, without queues: an edge copies FORWARD from its source to its
 * target and BACKWARD from its target to its source. A pass also sees marks that it has just set, so there are fewer passes
 * than layers. Meant for small graphs, where a pass takes little more time than its launch. */
#include "scc/scc.h"

#define REACH_SWEEP_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, mark, "n", mark, "n") \
  A(COUNT, u32, grown, "1")
ARGS(reach_sweep, REACH_SWEEP_ARGS)

SELECT(reach_sweep) { return load_relaxed(&a->mark[v]) != SETTLED; }

EDGES_BODY(reach_sweep) {
  (void)push;
  const u32 t = a->to[e], mine = load_relaxed(&a->mark[v]), theirs = load_relaxed(&a->mark[t]);
  if (!same_region(mine, theirs)) return;
  if (mine & ~theirs & FORWARD) count->grown += !(atomic_or(&a->mark[t], FORWARD) & FORWARD);
  if (theirs & ~mine & BACKWARD) count->grown += !(atomic_or(&a->mark[v], BACKWARD) & BACKWARD);
}
