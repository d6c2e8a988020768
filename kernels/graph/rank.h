/* Shared by the rows of PageRank. The in-edges of a vertex are divided into pieces of RANK_PIECE edges (the last may have fewer). The
 * edges of each piece are summed, then these sums, in order; so one thread and many threads compute the same bits. */
#ifndef LS_GRAPH_RANK_H
#define LS_GRAPH_RANK_H

#include "language/kernel.h"

enum { RANK_PIECE = 64 };

/* The index of v's first piece; v's in-edges begin at `first`. All pieces of v have smaller indices than the first piece of v + 1. */
LS_INLINE u64 rank_first_piece(u32 v, u32 first) { return (u64)v + first / RANK_PIECE; }

/* Adds TERM(a, i) for i in [from, past) to `sum`, in order. Eight at a time are read before they are added, because a thread that waits for
 * each of them would be slow. A macro, because in checked variants arrays are not pointers. */
#define RANK_SUM(a, sum, from, past, TERM)                                                                  \
  do {                                                                                                      \
    u64 i_ = (from);                                                                                        \
    for (const u64 past_ = (past); i_ + 8 <= past_; i_ += 8) {                                              \
      f64 term_[8];                                                                                         \
      for (u32 k_ = 0; k_ < 8; k_++) term_[k_] = TERM(a, i_ + k_);                                          \
      for (u32 k_ = 0; k_ < 8; k_++) sum += term_[k_];                                                      \
    }                                                                                                       \
    for (; i_ < (past); i_++) sum += TERM(a, i_);                                                           \
  } while (0)

/* The share along edge e, the sum of piece k. */
#define RANK_SHARE(a, e) (a)->share[(a)->rto[e]]
#define RANK_PIECE_SUM(a, k) (a)->part[k]

/* The new rank of v. *moved: does it differ from the old rank by more than `tolerance` times the new one? */
LS_INLINE f64 rank_now(f64 old, f64 sum, f64 damping, f64 tolerance, bool *moved) {
  const f64 now = 1 + damping * sum, change = now - old;
  *moved = !((change < 0 ? -change : change) <= tolerance * now);
  return now;
}

#endif
