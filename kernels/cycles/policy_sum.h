/* Computes values along the policy graph by pointer doubling: d[v] is the length of the path up to jump[v], and a pass adds
 * the lengths of the next three jumps. After k passes all paths of at most 4^k edges have arrived at the root. Paths to a root
 * exist in every length up to the longest; so if no path arrives with the third jump, no more will arrive, and the remaining
 * paths lead to other cycles. Barnat et al. 2011, Algorithm 4, by doubling. */
#include "cycles/policy.h"

#define POLICY_SUM_ARGS(A, W)                                                                               \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n")                                       \
  A(INOUT, u32, jump, "n", vertex, "n") A(INOUT, W, d, "n") A(OUT, u32, jump_next, "n", vertex, "n")        \
  A(OUT, W, d_next, "n") A(INOUT, u32, overflow, "1") A(COUNT, u32, arrived, "1")
ARGS(policy_sum, POLICY_SUM_ARGS)

VERTEX_BODY(policy_sum) {
  (void)push;
  const u32 root = a->root[a->region[v]];
  u32 next = a->jump[v];
  W sum = a->d[v];
  if (next != root && next != v) {
    int hop = 0;
    for (; hop < HOPS && next != root; hop++) {
      sum = ADD(sum, a->d[next]);
      next = a->jump[next];
      if (TOO_LARGE(sum)) {
        store_relaxed(a->overflow, 1u);
        sum = 0;
      }
    }
    count->arrived += next == root && hop == HOPS;
  }
  a->jump_next[v] = next;
  a->d_next[v] = sum;
}
