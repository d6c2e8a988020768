/* Initialises the arrays of policy_sum: jump[v] becomes the target of the chosen edge of v, and d[v] the length of
 * that edge at the current lambda. A path ends at the root, where jump[root] = root and d[root] = 0. Clears `seen`. */
#include "cycles/policy.h"

#define POLICY_LINKS_ARGS(A, W)                                                                             \
  A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times")          \
  A(IN, u32, region, "n", vertex, "n") A(IN, W, p, "n") A(IN, W, q, "n") A(IN, u32, root, "n", link, "n")     \
  A(IN, u32, policy, "n", choice, "m") A(OUT, u32, jump, "n", vertex, "n") A(OUT, W, d, "n") \
  A(OUT, u32, seen, "n")
ARGS(policy_links, POLICY_LINKS_ARGS)

VERTEX_BODY(policy_links) {
  (void)push, (void)count;
  const u32 e = a->policy[v], r = a->region[v];
  const bool ends = e == NO_EDGE || a->root[r] == v;
  a->jump[v] = ends ? v : a->to[e];
  a->d[v] = ends ? 0 : LENGTH(r, e);
  a->seen[v] = 0;
}
