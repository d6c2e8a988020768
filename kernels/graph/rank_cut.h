/* Divides the in-edges of every vertex into pieces (graph/rank.h), so that rank_gather has threads of equal work. */
#include "graph/rank.h"

/* rto: only its size is used */
#define RANK_CUT_ARGS(A, W)                                                                                 \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m") A(VALUE, u32, pieces, "1", upto, "k")           \
  A(OUT, u32, cut, "k+1")
ARGS(rank_cut, RANK_CUT_ARGS)

VERTEX_BODY(rank_cut) {
  (void)count, (void)push;
  const u32 first = a->roff[v], last = a->roff[v + 1];
  const u64 k = rank_first_piece(v, first), past = rank_first_piece(v + 1, last);
  if (past > a->pieces) return;
  for (u64 i = k; i < past; i++) {
    const u64 e = first + RANK_PIECE * (i - k);
    a->cut[i] = e < last ? (u32)e : last;
  }
  if (v + 1 == a->n) a->cut[past] = last;
}
