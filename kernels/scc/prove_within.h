/* One layer of a search that stays inside each class of equal labels. */
#include "scc/scc.h"

#define PROVE_WITHIN_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, id, "n")                 \
  A(INOUT, u32, reached, "n") A(QIN, u32, front, "n+1", vertex_queue, "n")                                  \
  A(QAHEAD, u32, front_next, "n+1", vertex_queue, "n") A(COUNT, u32, grown, "1")
ARGS(prove_within, PROVE_WITHIN_ARGS)

SELECT(prove_within) { return (void)a, (void)v, true; }

EDGES_BODY(prove_within) {
  const u32 t = a->to[e];
  if (a->id[t] != a->id[v] || load_relaxed(&a->reached[t]) || !atomic_cas(&a->reached[t], 0, 1)) return;
  count->grown++;
  PUSH(front_next, t);
}
