/* Propagates maxima: max_in forward along edges, max_out backward. A shortcut makes this fast on long cycles: if x
 * reaches v, then max_in[x] reaches v too. Alabandi, Sands, Biros, Burtscher 2023 (ECL-SCC). The identifiers are scattered:
 * on a ring whose vertices are numbered in the order of its edges, the shortcut would find nothing. */
#include "scc/scc.h"

#define PROPAGATE_MAX_ARGS(A, W)                                                                            \
  A(QIN, u64, edges, "k", edge_queue, "n") A(INOUT, u32, max_in, "n", scattered, "n")                       \
  A(INOUT, u32, max_out, "n", scattered, "n") A(COUNT, u32, moved, "1")
ARGS(propagate_max, PROPAGATE_MAX_ARGS)

LS_INLINE u32 LS_JOIN(propagate_max_raise, W)(u32 *cell, u32 x) {
  return load_cached(cell) < x && atomic_max(cell, x) < x;
}

QUEUE_BODY(propagate_max) {
  (void)push;
  u32 u = edge_from(item), v = edge_to(item);
  u32 in = load_cached(&a->max_in[u]), out = load_cached(&a->max_out[v]);
  in = load_cached(&a->max_in[unscatter_id(in)]);
  out = load_cached(&a->max_out[unscatter_id(out)]);
  u32 moved = LS_JOIN(propagate_max_raise, W)(&a->max_in[u], in) + LS_JOIN(propagate_max_raise, W)(&a->max_in[v], in) +
              LS_JOIN(propagate_max_raise, W)(&a->max_out[u], out) + LS_JOIN(propagate_max_raise, W)(&a->max_out[v], out);
  /* `above` reaches u, and so it reaches `out`; `below` is reached by v, and so `in` reaches it */
  u32 above = unscatter_id(in), below = unscatter_id(out);
  if (above != u) moved += LS_JOIN(propagate_max_raise, W)(&a->max_out[above], out);
  if (below != v) moved += LS_JOIN(propagate_max_raise, W)(&a->max_in[below], in);
  count->moved += moved;
}
