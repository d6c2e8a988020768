/* One Bellman-Ford pass, one thread per vertex: relaxes every edge of a reached vertex. Harish and Narayanan 2007, but with
 * one array of distances instead of two: a pass may use distances that it has improved itself. */
#include "common/minplus.h"

#define RELAX_ARGS(A, W)                                                                                    \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(INOUT, W, dist, "n") A(INOUT, u32, overflow, "1") A(COUNT, u32, improved, "1")
ARGS(relax, RELAX_ARGS)

VERTEX_BODY(relax) {
  (void)push;
  const W mine = load_relaxed(&a->dist[v]);
  if (mine == NO_PATH) return;
  const u32 first = a->off[v], last = a->off[v + 1];
  LOOKED_AT(last - first);
  for (u32 e = first; e < last; e++) {
    const W reached = ONWARD(mine, a->w[e], a->overflow);
    if (reached < load_relaxed(&a->dist[a->to[e]]) && reached < atomic_min(&a->dist[a->to[e]], reached)) count->improved++;
  }
}
