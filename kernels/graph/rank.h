/* Shared by the rows of PageRank. The in-edges of a vertex are divided into pieces of RANK_PIECE edges (the last may have fewer). The
 * edges of each piece are summed, then these sums, in order; so one thread and many threads compute the same bits. */
#ifndef LS_GRAPH_RANK_H
#define LS_GRAPH_RANK_H

#include "language/kernel.h"

enum { RANK_PIECE = 64 };

/* The index of v's first piece; v's in-edges begin at `first`. All pieces of v have smaller indices than the first piece of v + 1. */
LS_INLINE u64 rank_first_piece(u32 v, u32 first) { return (u64)v + first / RANK_PIECE; }

/* Adds the shares along edges [e, past) to `sum`. A macro, because in checked variants arrays are not pointers. */
#define RANK_PART(a, sum, e, past)                                                                          \
  for (u32 i_ = (e); i_ < (past); i_++) sum += (a)->share[(a)->rto[i_]];

/* The new rank of v. *moved: does it differ from the old rank by more than `tolerance` times the new one? */
LS_INLINE f64 rank_now(f64 old, f64 sum, f64 damping, f64 tolerance, bool *moved) {
  const f64 now = 1 + damping * sum, change = now - old;
  *moved = !((change < 0 ? -change : change) <= tolerance * now);
  return now;
}

#endif
