/* Sums the shares along the in-edges of every piece, one thread per piece. */
#include "graph/rank.h"

#define RANK_GATHER_ARGS(A, W)                                                                              \
  A(IN, u32, rto, "m", vertex, "n") A(IN, f64, share, "n")                                                  \
  A(IN, u32, cut, "k+1", offset, "m") A(OUT, f64, part, "k")
ARGS(rank_gather, RANK_GATHER_ARGS)

ELEMENT_BODY(rank_gather) {
  (void)count, (void)push;
  const u32 first = a->cut[i], past = a->cut[i + 1];
  f64 part = 0;
  RANK_SUM(a, part, first, past, RANK_SHARE);
  a->part[i] = part;
}
