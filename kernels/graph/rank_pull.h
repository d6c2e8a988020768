/* One iteration of PageRank (Brin and Page 1998): every vertex sums the shares of its in-neighbours. One thread per vertex does
 * so in the order of the in-edges, so that all devices compute the same bits. */
#include "graph/rank.h"

#define RANK_PULL_ARGS(A, W)                                                                                \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, f64, share, "n")             \
  A(IN, f64, damping, "1") A(IN, f64, tolerance, "1") A(INOUT, f64, rank, "n")          \
  A(COUNT, u32, moved, "1")
ARGS(rank_pull, RANK_PULL_ARGS)

VERTEX_BODY(rank_pull) {
  (void)push;
  const u32 first = a->roff[v], last = a->roff[v + 1];
  f64 sum = 0;
  for (u32 e = first; e < last;) {
    const u32 past = last - e < RANK_PIECE ? last : e + RANK_PIECE;
    f64 part = 0;
    RANK_SUM(a, part, e, past, RANK_SHARE);
    sum += part;
    e = past;
  }
  if (last > first) LOOKED_AT(last - first);
  bool moved;
  a->rank[v] = rank_now(a->rank[v], sum, *a->damping, *a->tolerance, &moved);
  count->moved += moved;
}
