/* Moves every vertex up its tree, at most FLATTEN_STEPS parents in one pass. Most trees are flat after the first; on chains the ways that
 * other threads have shortened meanwhile are taken, so that each pass shortens the longest way to a FLATTEN_STEPS-th or less. */
#include "language/kernel.h"

#define FLATTEN_ARGS(A, W) A(INOUT, u32, comp, "n", vertex, "n") A(COUNT, u32, moved, "1")
ARGS(flatten, FLATTEN_ARGS)

#ifndef LS_FLATTEN_STEPS
#define LS_FLATTEN_STEPS
enum { FLATTEN_STEPS = 16 };
#endif

VERTEX_BODY(flatten) {
  (void)push;
  const u32 up = load_relaxed(&a->comp[v]);
  u32 root = up;
  for (u32 i = 0; i < FLATTEN_STEPS; i++) {
    const u32 next = load_relaxed(&a->comp[root]);
    if (next >= root) break;
    root = next;
  }
  if (root == up) return;
  store_relaxed(&a->comp[v], root);
  count->moved++;
}
