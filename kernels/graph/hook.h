/* Joins trees along edges (Shiloach and Vishkin 1982). comp[v] is a vertex of v's component that is at most v, so comp is a
 * forest whose roots have comp[root] = root. If comp differs at the two ends of an edge, the larger of the two values, a
 * vertex, is hooked to the smaller. comp only decreases, so in the end it is the least vertex of each component. */
#include "language/kernel.h"

#define HOOK_ARGS(A, W)                                                                                     \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, comp, "n", vertex, "n") \
  A(COUNT, u32, joined, "1")
ARGS(hook, HOOK_ARGS)

SELECT(hook) { return (void)a, (void)v, true; }

EDGES_BODY(hook) {
  (void)push;
  const u32 mine = load_cached(&a->comp[v]), theirs = load_cached(&a->comp[a->to[e]]);
  if (mine == theirs) return;
  const u32 low = mine < theirs ? mine : theirs, high = mine < theirs ? theirs : mine;
  if (load_cached(&a->comp[high]) > low && atomic_min(&a->comp[high], low) > low) count->joined++;
}
