/* One layer of a backward search from all pivots at once, each inside its region. Barnat et al. 2011, BWD-REACH with
 * regions. */
#include "scc/scc.h"

#define REACH_BACKWARD_ARGS(A, W)                                                                           \
  A(OFF, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n")                                   \
  A(INOUT, u32, mark, "n", mark, "n") A(QIN, u32, back, "n+1", vertex_queue, "n")                           \
  A(QAHEAD, u32, back_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(reach_backward, REACH_BACKWARD_ARGS)

SELECT(reach_backward) { return (void)a, (void)v, true; }

EDGES_BODY(reach_backward) {
  if (e + 24 < a->m) PREFETCH(&a->mark[a->rto[e + 24]]);
  u32 t = a->rto[e], theirs = load_cached(&a->mark[t]);
  if ((theirs & BACKWARD) || !same_region(theirs, load_cached(&a->mark[v]))) return;
  if (atomic_or(&a->mark[t], BACKWARD) & BACKWARD) return;
  count->grown++;
  PUSH(back_next, t);
}
