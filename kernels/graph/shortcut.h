/* One pass of pointer doubling: every vertex takes its grandparent as its parent. Repeated until comp[v] is a root for all v. */
#include "language/kernel.h"

#define SHORTCUT_ARGS(A, W) A(INOUT, u32, comp, "n", vertex, "n") A(COUNT, u32, moved, "1")
ARGS(shortcut, SHORTCUT_ARGS)

VERTEX_BODY(shortcut) {
  (void)push;
  const u32 up = load_relaxed(&a->comp[v]), further = load_relaxed(&a->comp[up]);
  if (further >= up) return;
  store_relaxed(&a->comp[v], further);
  count->moved++;
}
