/* The end of an iteration of PageRank: every vertex adds up the sums of its pieces, in their order. */
#include "graph/rank.h"

/* rto: only its size is used */
#define RANK_SETTLE_ARGS(A, W)                                                                              \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m")                                                 \
  A(VALUE, u32, pieces, "1", upto, "k") A(IN, f64, part, "k")                                               \
  A(IN, f64, damping, "1") A(IN, f64, tolerance, "1") A(INOUT, f64, rank, "n")          \
  A(COUNT, u32, moved, "1")
ARGS(rank_settle, RANK_SETTLE_ARGS)

VERTEX_BODY(rank_settle) {
  (void)push;
  const u32 first = a->roff[v], last = a->roff[v + 1];
  const u64 k = rank_first_piece(v, first), pieces = ((u64)last - first + RANK_PIECE - 1) / RANK_PIECE;
  f64 sum = 0;
  const u64 past = k + pieces < a->pieces ? k + pieces : a->pieces;
  RANK_SUM(a, sum, k, past, RANK_PIECE_SUM);
  bool moved;
  a->rank[v] = rank_now(a->rank[v], sum, *a->damping, *a->tolerance, &moved);
  count->moved += moved;
}
