/* Marks the roots: they get layer 0, from which policy_mark and policy_connect continue; all others become UNREACHED. */
#include "cycles/policy.h"

#define POLICY_START_MARK_ARGS(A, W)                                                                        \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n") A(OUT, u32, layer, "n")
ARGS(policy_start_mark, POLICY_START_MARK_ARGS)

VERTEX_BODY(policy_start_mark) {
  (void)push, (void)count;
  a->layer[v] = a->root[a->region[v]] == v ? 0 : UNREACHED;
}
