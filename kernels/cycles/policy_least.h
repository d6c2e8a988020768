/* Finds the smallest vertex of every cycle by pointer doubling: after k passes least[v] is the smallest of the 2^k
 * vertices of the cycle from v on. If a pass changes no element of `least`, each of these windows has the same
 * smallest vertex as the window after it, all around the cycle; so that vertex is the smallest of the cycle. */
#include "cycles/policy.h"

#define POLICY_LEAST_ARGS(A, W)                                                                             \
  A(QIN, u32, cycle, "n+1", vertex_queue, "n") A(INOUT, u32, link, "n", vertex, "n")                        \
  A(INOUT, u32, least, "n", vertex, "n") A(INOUT, u32, link_next, "n", vertex, "n")                           \
  A(INOUT, u32, least_next, "n", vertex, "n") A(COUNT, u32, moved, "1")
ARGS(policy_least, POLICY_LEAST_ARGS)

QUEUE_BODY(policy_least) {
  (void)push;
  const u32 v = (u32)item, there = a->link[v], mine = a->least[v], theirs = a->least[there];
  a->least_next[v] = theirs < mine ? theirs : mine;
  a->link_next[v] = a->link[there];
  count->moved += theirs < mine;
}
