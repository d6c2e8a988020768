/* Values along the policy graph by pointer doubling: the sum up to jump[v], plus the sum from there on. After k
 * passes all paths of up to 2^k edges have arrived at the root. Distances to it leave no gaps, so a pass in which
 * nobody arrives is the last: whoever is still on the way walks towards another cycle. The doubling form of
 * Barnat et al. 2011, Algorithm 4. */
#include "policy.h"

#define POLICY_SUM_ARGS(A, W)                                                                               \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n")                                       \
  A(INOUT, u32, jump, "n", vertex, "n") A(INOUT, W, d, "n") A(OUT, u32, jump_next, "n", vertex, "n")        \
  A(OUT, W, d_next, "n") A(INOUT, u32, overflow, "1") A(COUNT, u32, arrived, "1")
ARGS(policy_sum, POLICY_SUM_ARGS)

VERTEX_BODY(policy_sum) {
  (void)push;
  const u32 there = a->jump[v], root = a->root[a->region[v]];
  W sum = a->d[v];
  u32 next = there;
  if (there != root && there != v) {
    next = a->jump[there];
    sum = ADD(sum, a->d[there]);
    if (TOO_LARGE(sum)) {
      poke(a->overflow, 1u);
      sum = 0;
    }
    count->arrived += next == root;
  }
  a->jump_next[v] = next;
  a->d_next[v] = sum;
}
