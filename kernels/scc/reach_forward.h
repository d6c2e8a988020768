/* One layer of a forward search from all pivots at once, each inside its region. Barnat et al. 2011, FWD-REACH with
 * regions. */
#include "scc/scc.h"

#define REACH_FORWARD_ARGS(A, W)                                                                            \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                     \
  A(INOUT, u32, mark, "n", mark, "n") A(QIN, u32, front, "n+1", vertex_queue, "n")                          \
  A(QAHEAD, u32, front_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(reach_forward, REACH_FORWARD_ARGS)

SELECT(reach_forward) { return (void)a, (void)v, true; }

EDGES_BODY(reach_forward) {
  if (e + 24 < a->m) PREFETCH(&a->mark[a->to[e + 24]]);
  u32 t = a->to[e], theirs = load_cached(&a->mark[t]);
  if ((theirs & FORWARD) || !same_region(theirs, load_cached(&a->mark[v]))) return;
  if (atomic_or(&a->mark[t], FORWARD) & FORWARD) return;
  count->grown++;
  PUSH(front_next, t);
}
