/* RelaxEdge of Pogorilyy and Slynko 2016 in its parallel inner loop: one thread per edge of a vertex in the frontier. */
#include "paths/paths.h"

#define RELAX_EDGES_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(INOUT, W, dist, "n") A(INOUT, u32, overflow, "1") A(QIN, u32, front, "k", vertex_queue, "n")            \
  A(COUNT, u32, improved, "1")
ARGS(relax_edges, RELAX_EDGES_ARGS)

SELECT(relax_edges) { return load_relaxed(&a->dist[v]) != NO_PATH; }

EDGES_BODY(relax_edges) {
  (void)push;
  const u32 t = a->to[e];
  const W reached = ONWARD(load_relaxed(&a->dist[v]), a->w[e], a->overflow);
  if (reached < load_relaxed(&a->dist[t]) && reached < atomic_min(&a->dist[t], reached)) count->improved++;
}
