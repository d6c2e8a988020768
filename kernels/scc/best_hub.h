/* Chooses the hub: the best of the 1024 candidates of pick_hub. Vertex v is a candidate if hubs[v % 1024] holds the
 * scattered identifier of v. */
#include "scc/scc.h"

#define BEST_HUB_ARGS(A, W) A(IN, u64, hubs, "1024") A(IN, u32, mark, "n") A(INOUT, u64, hub, "1")
ARGS(best_hub, BEST_HUB_ARGS)

VERTEX_BODY(best_hub) {
  (void)push, (void)count;
  const u64 key = a->hubs[v % 1024];
  if (unscatter_id((u32)key) != v || a->mark[v] == SETTLED) return;
  if (key > load_cached(a->hub)) atomic_max(a->hub, key);
}
