/* Topological order by levels: makes sort keys (level, vertex). Vertices without a level, which are on cycles or reachable from
 * one, come last. */
#include "language/kernel.h"

#define ORDER_KEYS_ARGS(A, W)                                                                               \
  A(IN, u32, level, "n") A(IN, u32, indegree, "n") A(OUT, u64, key, "n") A(COUNT, u32, left, "1")
ARGS(order_keys, ORDER_KEYS_ARGS)

VERTEX_BODY(order_keys) {
  (void)push;
  const bool left = a->indegree[v] != 0;
  a->key[v] = (u64)(left ? 0xffffffffu : a->level[v]) << 32 | v;
  count->left += left;
}
