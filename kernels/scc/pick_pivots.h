/* Elects the pivots of the next regions. The bits of the marks divide a region into four classes: the component of the pivot,
 * the other vertices that the pivot reaches, the other vertices that reach it, and the rest. Each of the last three elects its
 * largest vertex. */
#include "scc/scc.h"

#define PICK_PIVOTS_ARGS(A, W) A(IN, u32, mark, "n", mark, "n") A(INOUT, u32, vote, "3*n", vote, "n")
ARGS(pick_pivots, PICK_PIVOTS_ARGS)

VERTEX_BODY(pick_pivots) {
  (void)push, (void)count;
  u32 mine = a->mark[v];
  if ((mine & BOTH) == BOTH) return; /* settled, or in the component of a pivot, which split settles */
  u32 *vote = &a->vote[3 * (u64)(mine >> 2) + (mine & BOTH)];
  if (load_cached(vote) < v + 1) atomic_max(vote, v + 1);
}
