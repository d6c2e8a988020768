/* Describes each current choice without reference to the edge arrays: its target, weight and time. So processes that each have
 * the edges of only some vertices (lua/graph/partition.lua) can evaluate the policy of all vertices. */
#include "cycles/policy.h"

#define POLICY_PUBLISH_ARGS(A, W)                                                                           \
  A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times") \
  A(IN, u32, policy, "n", choice, "m") A(OUT, u32, chosen, "n", choice, "n") A(OUT, u32, chosen_to, "n", vertex, "n") \
  A(OUT, W, chosen_w, "n") A(OUT, W, chosen_t, "n")
ARGS(policy_publish, POLICY_PUBLISH_ARGS)

VERTEX_BODY(policy_publish) {
  (void)push, (void)count;
  const u32 e = a->policy[v];
  a->chosen[v] = e == NO_EDGE ? NO_EDGE : v;
  a->chosen_to[v] = v;
  a->chosen_w[v] = 0, a->chosen_t[v] = 1;
  if (e == NO_EDGE) return;
  a->chosen_to[v] = a->to[e];
  a->chosen_w[v] = a->w[e];
  a->chosen_t[v] = EDGE_TIME(e);
}
