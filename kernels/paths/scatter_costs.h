/* The scattering phase of Okuyama 2013, figure 3.5 (Harish and Narayanan 2007), and of figure 3.7 for k sources at a time:
 * one thread per vertex and source. The cells of a vertex are adjacent, [vertex][source], so that the threads of a warp read
 * the same edges and access adjacent costs (figure 3.8).
 *
 * paper errs: 004, figure 3.3, line 9: the minimum is taken with the current cost c of the neighbour, not with its updated cost
 * u: of two offers the later wins, even if the earlier one is lower.
 *
 * paper errs: 004, figure 3.5, line 6: the weight is Wa[n], indexed by the neighbour; it must be Wa[i], indexed by the edge.
 *
 * The minimum of line 6 must be atomic, as section 3.3.2 says, because several threads may update one cell at the same time. */
#include "paths/paths.h"

#define SCATTER_COSTS_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(VALUE, u32, k, "1") A(INOUT, u32, mask, "n*k") A(IN, W, cost, "n*k") A(INOUT, W, updated, "n*k") A(INOUT, u32, overflow, "1") \
  A(COUNT, u32, frontier, "1") A(COUNT, u32, relaxed, "1")
ARGS(scatter_costs, SCATTER_COSTS_ARGS)

VERTEX_BODY(scatter_costs) {
  (void)push;
  if (!a->mask[v]) return;
  const u32 k = a->k, u = v / k, s = v % k;
  const W mine = a->cost[v];
  a->mask[v] = 0;
  count->frontier++;
  if (mine == NO_PATH) return;
  const u32 first = a->off[u], last = a->off[u + 1];
  count->relaxed += last - first;
  for (u32 e = first; e < last; e++) {
    W *at = &a->updated[(u64)a->to[e] * k + s];
    const W reached = ONWARD(mine, a->w[e], a->overflow);
    if (reached < load_relaxed(at)) atomic_min(at, reached);
  }
}
