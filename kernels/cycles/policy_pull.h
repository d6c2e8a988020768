/* policy_connect and policy_adopt over forward edges, the bottom-up step of Beamer, Asanovic, Patterson 2012: a
 * loose vertex with a successor on a layer chooses its edge to the lowest layer (ties: lowest edge index). Pass k
 * creates layer k, as in the search from the border. layer[v] of an unreached vertex v counts the passes: after k
 * passes it is UNREACHED - k. So the vertex can ignore layers that the current pass has created. Every pass scans
 * all loose vertices, so policy_pull is used for graphs with few layers, for which computing the transpose would
 * take longer. */
#include "cycles/policy.h"

#define POLICY_PULL_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, layer, "n")           \
  A(INOUT, u32, policy, "n", choice, "m") A(VALUE, u32, pulls, "1") A(COUNT, u32, pulled, "1")
ARGS(policy_pull, POLICY_PULL_ARGS)

SELECT(policy_pull) { return a->pulls && load_relaxed(&a->layer[v]) > UNREACHED / 2; }

SCORE(policy_pull, u32) {
  const u32 theirs = load_relaxed(&a->layer[a->to[e]]);
  return theirs <= UNREACHED - load_relaxed(&a->layer[v]) ? theirs : UNREACHED;
}

BEST_BODY(policy_pull, u32) {
  (void)push;
  if (e == NO_EDGE) return;
  if (best == UNREACHED) {
    store_relaxed(&a->layer[v], a->layer[v] - 1);
    return;
  }
  store_relaxed(&a->layer[v], best + 1);
  a->policy[v] = e;
  count->pulled++;
}
