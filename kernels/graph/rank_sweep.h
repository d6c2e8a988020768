/* One iteration of PageRank in Gauss-Seidel order: like rank_share and rank_pull at once, but a vertex passes on its new rank immediately. So
 * later vertices use it in the same iteration, and about half as many iterations are needed (Arasu, Novak, Tomkins, Tomlin 2002). */
#include "graph/rank.h"

#define RANK_SWEEP_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1") A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n")             \
  A(IN, f64, damping, "1") A(INOUT, f64, share, "n") A(INOUT, f64, rank, "n") A(OUT, f64, change, "n")
ARGS(rank_sweep, RANK_SWEEP_ARGS)

VERTEX_BODY(rank_sweep) {
  (void)push;
  const u32 first = a->roff[v], last = a->roff[v + 1], degree = a->off[v + 1] - a->off[v];
  f64 sum = 0;
  for (u32 e = first; e < last; e++) sum += load_relaxed(&a->share[a->rto[e]]);
  if (last > first) LOOKED_AT(last - first);
  const f64 now = 1 + *a->damping * sum, change = now - a->rank[v];
  a->rank[v] = now;
  a->change[v] = change < 0 ? -change : change;
  store_relaxed(&a->share[v], degree ? now / degree : 0);
}
