/* RELAX_WITH_MASK of Pogorilyy and Slynko 2016, one thread per vertex: relaxes the edges of the vertices in the mask.
 *
 * paper errs: 002, RELAX_WITH_MASK, C[edgeId]: the cell is indexed by the edge; it must be that of the edge's target.
 *
 * paper errs: 002, RELAX_WITH_MASK, M[tid]: the mask is never cleared, so that every settled vertex relaxes its edges again in
 * each later iteration. */
#include "paths/paths.h"

#define RELAX_MASKED_ARGS(A, W)                                                                             \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(INOUT, W, dist, "n") A(INOUT, u32, mask, "n") A(INOUT, u32, overflow, "1") A(COUNT, u32, improved, "1")
ARGS(relax_masked, RELAX_MASKED_ARGS)

VERTEX_BODY(relax_masked) {
  (void)push;
  if (!a->mask[v]) return;
  a->mask[v] = 0;
  const W mine = load_relaxed(&a->dist[v]);
  if (mine == NO_PATH) return;
  const u32 first = a->off[v], last = a->off[v + 1];
  LOOKED_AT(last - first);
  for (u32 e = first; e < last; e++) {
    const u32 t = a->to[e];
    const W reached = ONWARD(mine, a->w[e], a->overflow);
    if (reached < load_relaxed(&a->dist[t]) && reached < atomic_min(&a->dist[t], reached)) count->improved++;
  }
}
