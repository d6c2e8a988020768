/* Pointer doubling along chains, until everyone hangs on a root (link[v] = v) or on none: who comes to a vertex off
 * chains, or back to itself round a cycle, hangs on none. */
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
