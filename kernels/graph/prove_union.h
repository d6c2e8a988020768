/* Counts the edges whose ends have different labels, and joins the ends of all other edges in a forest of vertices (union-find: Jayanti and
 * Tarjan 2016). A root is linked to a lesser root by one compare-and-swap, so that the links have no cycle; each such link joins two
 * trees. So there are n - `joined` components. */
#include "language/kernel.h"

#define PROVE_UNION_ARGS(A, W)                                                                              \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, id, "n")                 \
  A(INOUT, u32, link, "n", vertex, "n", TIE) A(COUNT, u32, joined, "1") A(COUNT, u32, split, "1")
ARGS(prove_union, PROVE_UNION_ARGS)

#ifndef LS_GRAPH_UNION_ROOT
#define LS_GRAPH_UNION_ROOT
/* The root of v's tree. Each vertex on the path to it is linked to its grandparent, which only shortens the path. */
#define UNION_ROOT(link, v)                                                                                 \
  for (;;) {                                                                                                \
    const u32 up = load_relaxed(&(link)[v]), over = load_relaxed(&(link)[up]);                              \
    if (over == up) {                                                                                       \
      v = up;                                                                                               \
      break;                                                                                                \
    }                                                                                                       \
    store_relaxed(&(link)[v], over);                                                                        \
    v = over;                                                                                               \
  }
#endif

SELECT(prove_union) { return (void)a, (void)v, true; }

EDGES_BODY(prove_union) {
  (void)push;
  u32 x = v, y = a->to[e];
  if (a->id[x] != a->id[y]) {
    count->split++;
    return;
  }
  for (;;) {
    UNION_ROOT(a->link, x)
    UNION_ROOT(a->link, y)
    if (x == y) return;
    const u32 low = x < y ? x : y, high = x < y ? y : x;
    if (atomic_cas(&a->link[high], high, low)) {
      count->joined++;
      return;
    }
  }
}
