/* Moves every live vertex to the region of the pivot that its class has elected (pick_pivots). The pivots get both bits and
 * are the sources of the next searches. */
#include "scc/scc.h"

#define NEW_REGIONS_ARGS(A, W)                                                                              \
  A(IN, u32, vote, "3*n", vote, "n") A(INOUT, u32, mark, "n", mark, "n")                                    \
  A(QOUT, u32, front, "n+1", vertex_queue, "n") A(COUNT, u32, live, "1") A(COUNT, u32, regions, "1")
ARGS(new_regions, NEW_REGIONS_ARGS)

VERTEX_BODY(new_regions) {
  u32 mine = a->mark[v];
  if (mine == SETTLED) return;
  u32 elected = (mine & BOTH) == BOTH ? 0u : a->vote[3 * (u64)(mine >> 2) + (mine & BOTH)];
  count->live++;
  if (!elected) return; /* the class has no pivot: v stays in its region */
  u32 pivot = elected - 1;
  if (pivot == v) {
    count->regions++;
    PUSH(front, v);
  }
  a->mark[v] = pivot << 2 | (pivot == v ? BOTH : 0);
}
