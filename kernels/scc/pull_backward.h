/* Backward search without the transpose: a vertex reaches the pivot if one of its successors does. Barnat et al. 2011.
 * Every vertex on a path from a forward vertex to the pivot is itself forward; so within = 1 leaves out all other
 * vertices, and still finds the component of the pivot. */
#include "scc/scc.h"

#define PULL_BACKWARD_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, mark, "n", mark, "n")  \
  A(VALUE, u32, within, "1") A(COUNT, u32, grown, "1")
ARGS(pull_backward, PULL_BACKWARD_ARGS)

VERTEX_BODY(pull_backward) {
  (void)push;
  u32 mine = load_relaxed(&a->mark[v]);
  if (mine == SETTLED || (mine & BACKWARD) || (a->within && !(mine & FORWARD))) return;
  u32 wanted = mine | BOTH, last = a->off[v + 1];
  for (u32 e = a->off[v]; e < last; e++) {
    u32 theirs = load_cached(&a->mark[a->to[e]]);
    if (!(theirs & BACKWARD) || (theirs | BOTH) != wanted || theirs == SETTLED) continue;
    atomic_or(&a->mark[v], BACKWARD);
    count->grown++;
    return;
  }
}
