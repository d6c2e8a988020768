/* The largest identifier that reaches a vertex flows forward along edges, the largest that it reaches flows
 * backward. An identifier that reaches v has itself been reached by max_in of it: the shortcut that makes
 * long cycles quick. Alabandi, Sands, Biros, Burtscher 2023 (ECL-SCC). Ours are scattered identifiers: where
 * their order followed the edges', as on a ring numbered all round, the shortcut would find nothing. */
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
  in = load_cached(&a->max_in[gather_id(in)]);
  out = load_cached(&a->max_out[gather_id(out)]);
  u32 moved = LS_JOIN(propagate_max_raise, W)(&a->max_in[u], in) + LS_JOIN(propagate_max_raise, W)(&a->max_in[v], in) +
              LS_JOIN(propagate_max_raise, W)(&a->max_out[u], out) + LS_JOIN(propagate_max_raise, W)(&a->max_out[v], out);
  /* what reaches v reaches all that v reaches, and what v reaches is reached by all that reaches v */
  u32 above = gather_id(in), below = gather_id(out);
  if (above != u) moved += LS_JOIN(propagate_max_raise, W)(&a->max_out[above], out);
  if (below != v) moved += LS_JOIN(propagate_max_raise, W)(&a->max_in[below], in);
  count->moved += moved;
}
