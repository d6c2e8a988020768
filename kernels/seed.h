/* Starts both searches at the hub. One thread: the only array of extent n is the hub. */
#include "scc.h"

#define SEED_ARGS(A, W)                                                                                     \
  A(IN, u64, hub, "n") A(INOUT, u32, mark, "vertices") A(QOUT, u32, front, "vertices+1")                    \
  A(OUT, u32, back, "vertices+1")
ARGS(seed, SEED_ARGS)

VERTEX_BODY(seed) {
  (void)count;
  u32 pivot = gather_id((u32)a->hub[v]);
  a->mark[pivot] |= BOTH;
  a->back[0] = 1;
  a->back[1] = pivot;
  PUSH(pivot);
}
