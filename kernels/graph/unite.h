/* Joins the trees of the two ends of every edge (union-find: Jayanti and Tarjan 2016). comp[v] is the parent of v, a lesser vertex of
 * its component; a root is its own parent. A root is linked to a lesser root by one compare-and-swap, so one pass over all
 * edges is enough: no edge has to be seen again. */
#ifndef LS_GRAPH_UNITE_H
#define LS_GRAPH_UNITE_H
#include "language/kernel.h"

/* Joins the trees of x and y, two variables that are overwritten. Each vertex on the path to a root gets its grandparent as its
 * parent, which shortens the path; it does no harm if another thread stores another ancestor there. */
#define UNITE_ROOT(comp, x)                                                                                 \
  for (;;) {                                                                                                \
    const u32 up = load_relaxed(&(comp)[x]), next = load_relaxed(&(comp)[up]);                              \
    if (next != up) store_relaxed(&(comp)[x], next);                                                        \
    x = next;                                                                                               \
    if (next == up) break;                                                                                  \
  }
#define UNITE(comp, x, y, joined)                                                                           \
  for (;;) {                                                                                                \
    UNITE_ROOT(comp, x)                                                                                     \
    UNITE_ROOT(comp, y)                                                                                     \
    if (x == y) break;                                                                                      \
    const u32 low = x < y ? x : y, high = x < y ? y : x;                                                    \
    if (atomic_cas(&(comp)[high], high, low)) {                                                             \
      (joined)++;                                                                                           \
      break;                                                                                                \
    }                                                                                                       \
  }

#define UNITE_ARGS(A, W)                                                                                    \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, comp, "n", vertex, "n") \
  A(COUNT, u32, joined, "1")
ARGS(unite, UNITE_ARGS)

SELECT(unite) { return (void)a, (void)v, true; }

EDGES_BODY(unite) {
  (void)push;
  u32 x = v, y = a->to[e];
  if (load_cached(&a->comp[x]) == load_cached(&a->comp[y])) return; /* stale values are good enough, because a tree is never divided */
  UNITE(a->comp, x, y, count->joined)
}
#endif
