/* Finds candidates for the hub, the first pivot of a large graph: a vertex with very many out-edges is probably in the giant
 * component. There are 1024 cells, because atomics of all threads on a single cell would be slow. */
#include "scc/scc.h"

#define PICK_HUB_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, u32, mark, "n") A(INOUT, u64, hubs, "1024")
ARGS(pick_hub, PICK_HUB_ARGS)

VERTEX_BODY(pick_hub) {
  (void)push, (void)count;
  if (a->mark[v] == SETTLED) return;
  u64 key = (u64)(a->off[v + 1] - a->off[v]) << 32 | scatter_id(v);
  u64 *cell = &a->hubs[v % 1024];
  if (key > load_cached(cell)) atomic_max(cell, key);
}
