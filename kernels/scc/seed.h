/* Makes all live vertices one region, whose pivot is the hub; both searches start there. If there is no hub, no search
 * starts. */
#include "scc/scc.h"

#define SEED_ARGS(A, W)                                                                                     \
  A(IN, u64, hub, "1") A(INOUT, u32, mark, "n", mark, "n") A(QOUT, u32, front, "n+1", vertex_queue, "n")    \
  A(INOUT, u32, back, "n+1", vertex_queue, "n")
ARGS(seed, SEED_ARGS)

VERTEX_BODY(seed) {
  (void)count;
  if (a->mark[v] == SETTLED) return;
  u32 pivot = unscatter_id((u32)a->hub[0]);
  if (pivot >= a->n) return;
  a->mark[v] = pivot << 2 | (v == pivot ? BOTH : 0);
  if (v != pivot) return;
  PUSH(front, pivot);
  a->back[0] = 1;
  a->back[1] = pivot;
}
