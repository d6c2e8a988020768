/* What the rows of PageRank share. A sum over the in-edges of a vertex is that of the sums of its pieces, in their order; a piece has
 * RANK_PIECE edges, the last one of a vertex fewer. So one thread or many find the same bits. */
#ifndef LS_GRAPH_RANK_H
#define LS_GRAPH_RANK_H

#include "language/kernel.h"

enum { RANK_PIECE = 64 };

/* The first piece of vertex v, whose in-edges begin at `first`. v + 1 begins at least as many pieces later as v's edges need. */
LS_INLINE u64 rank_first_piece(u32 v, u32 first) { return (u64)v + first / RANK_PIECE; }

/* Adds the shares along the edges from e up to `past` to `sum`. A macro, because in checked forms arrays are no pointers. */
#define RANK_PART(a, sum, e, past)                                                                          \
  for (u32 i_ = (e); i_ < (past); i_++) sum += (a)->share[(a)->rto[i_]];

/* The new rank of v. Sets *moved if it differs from the old one by more than `tolerance` of it. */
LS_INLINE f64 rank_now(f64 old, f64 sum, f64 damping, f64 tolerance, bool *moved) {
  const f64 now = 1 + damping * sum, change = now - old;
  *moved = !((change < 0 ? -change : change) <= tolerance * now);
  return now;
}

#endif
