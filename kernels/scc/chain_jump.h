/* One pass of pointer doubling along chains: link[v] = link[link[v]]. Passes are repeated until link[v] is the root
 * at the end of the chain (link[root] = root), or LS_NO_VERTEX if the chain leads to a vertex that is on no chain, or
 * back to v. */
#include "scc/scc.h"

#define CHAIN_JUMP_ARGS(A, W) A(INOUT, u32, link, "n", link, "n") A(COUNT, u32, moved, "1")
ARGS(chain_jump, CHAIN_JUMP_ARGS)

VERTEX_BODY(chain_jump) {
  (void)push;
  u32 up = load_relaxed(&a->link[v]);
  if (up == LS_NO_VERTEX || up == v) return;
  u32 further = load_relaxed(&a->link[up]);
  if (further == up) return;
  store_relaxed(&a->link[v], further == v ? LS_NO_VERTEX : further);
  count->moved++;
}
