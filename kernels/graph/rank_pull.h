/* One iteration of PageRank (Brin and Page 1998): every vertex sums the shares of its in-neighbours. One thread per vertex does
 * so in the order of the in-edges, so that all devices compute the same bits. */
#include "language/kernel.h"

#define RANK_PULL_ARGS(A, W)                                                                                \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, f64, share, "n")             \
  A(IN, f64, damping, "1") A(IN, f64, tolerance, "1") A(INOUT, f64, rank, "n")          \
  A(COUNT, u32, moved, "1")
ARGS(rank_pull, RANK_PULL_ARGS)

VERTEX_BODY(rank_pull) {
  (void)push;
  const u32 first = a->roff[v], last = a->roff[v + 1];
  f64 sum = 0;
  for (u32 e = first; e < last; e++) sum += a->share[a->rto[e]];
  if (last > first) LOOKED_AT(last - first);
  const f64 now = 1 + *a->damping * sum, change = now - a->rank[v];
  a->rank[v] = now;
  count->moved += !((change < 0 ? -change : change) <= *a->tolerance * now);
}
