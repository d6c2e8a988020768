/* Sets the value of every root to 0 and lists the roots, from which policy_propagate continues: Barnat et al. 2011,
 * Algorithm 3 line 12. */
#include "cycles/policy.h"

#define POLICY_START_VALUES_ARGS(A, W)                                                                      \
  A(IN, u32, region, "n", vertex, "n") A(IN, u32, root, "n", link, "n") A(INOUT, W, d, "n")                 \
  A(OUT, u32, layer, "n") A(QOUT, u32, front, "n+1", vertex_queue, "n") A(COUNT, u32, roots, "1")
ARGS(policy_start_values, POLICY_START_VALUES_ARGS)

VERTEX_BODY(policy_start_values) {
  const bool is_root = a->root[a->region[v]] == v;
  a->layer[v] = is_root ? 0 : UNREACHED;
  if (!is_root) return;
  a->d[v] = 0;
  count->roots++;
  PUSH(front, v);
}
