/* One layer of near-far (Davidson, Baxter, Garland, Owens 2014): relaxes all edges of the near vertices in the frontier. An
 * improved vertex below the bound is near and goes to the next frontier; any other is far and waits for take_bucket. */
#include "paths/paths.h"

#define RELAX_NEAR_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(INOUT, W, dist, "n") A(INOUT, W, expanded, "n") A(IN, W, bound, "1") A(INOUT, W, least, "1", TIE)            \
  A(INOUT, u32, overflow, "1")                                                                              \
  A(QIN, u32, front, "k", vertex_queue, "n") A(QAHEAD, u32, front_next, "k", vertex_queue, "n")             \
  A(COUNT, u32, grown, "1") A(COUNT, u32, deferred, "1") A(LOST, u32, lost, "1")
ARGS(relax_near, RELAX_NEAR_ARGS)

SELECT(relax_near) {
  const W mine = load_relaxed(&a->dist[v]);
  return mine < load_relaxed(&a->expanded[v]) && mine < atomic_min(&a->expanded[v], mine);
}

EDGES_BODY(relax_near) {
  const u32 t = a->to[e];
  const W reached = ONWARD(load_relaxed(&a->dist[v]), a->w[e], a->overflow);
  if (!(reached < load_relaxed(&a->dist[t]) && reached < atomic_min(&a->dist[t], reached))) return;
  if (reached < *a->bound) {
    count->grown++;
    PUSH(front_next, t);
  } else {
    count->deferred++;
    LOWER(a->least, reached);
  }
}
