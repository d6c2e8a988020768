/* One pass of ordering the classes: assigns levels so that each edge between two classes leads to a greater level,
 * which is possible only if no cycle leads through two classes. After k passes levels below k are final, so that
 * edges from classes of these levels are skipped. */
#include "scc/scc.h"

#define PROVE_ORDER_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, id, "n", vertex, "n")    \
  A(IN, u32, depth, "1") A(INOUT, u32, level, "n") A(COUNT, u32, raised, "1")
ARGS(prove_order, PROVE_ORDER_ARGS)

SELECT(prove_order) { return load_relaxed(&a->level[a->id[v]]) >= *a->depth; }

EDGES_BODY(prove_order) {
  (void)push;
  const u32 mine = a->id[v], theirs = a->id[a->to[e]];
  if (mine == theirs) return;
  const u32 level = load_relaxed(&a->level[mine]) + 1;
  if (load_relaxed(&a->level[theirs]) < level && atomic_max(&a->level[theirs], level) < level) count->raised++;
}
