/* Counts triangles: for an edge u -> v with u < v, the number of w > v to which both have edges. Rows must be sorted, as they are in every graph.
 *
 *   kernel.load("triangles_at.h")
 *   g = gen.torus{40, 40}
 *   at = buffer.new("u32", g.n)
 *   triangles_at(g, at) */
#include "language/kernel.h"

PRIM(triangles_at, TRIANGLES_AT_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "",
     "triangles_at(g, at): at[u] = how many triangles u < v < w the graph has.\n"
     "For a symmetric graph, whose rows are sorted. Returns their sum. triangles(g) takes any graph.")

#define TRIANGLES_AT_ARGS(A, W)                                                              \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(OUT, u32, at, "n") \
  A(COUNT, u32, found, "1")
ARGS(triangles_at, TRIANGLES_AT_ARGS)

VERTEX_BODY(triangles_at) {
  const u32 end = a->off[v + 1];
  u32 found = 0;
  for (u32 e = a->off[v]; e < end; e++) {
    const u32 t = a->to[e];
    if (t <= v) continue;
    u32 i = e + 1, k = a->off[t];
    const u32 last = a->off[t + 1];
    while (i < end && k < last) { /* merges two sorted rows */
      const u32 x = a->to[i], y = a->to[k];
      if (x == y && x > t) found++;
      i += x <= y;
      k += y <= x;
    }
  }
  a->at[v] = found;
  count->found += found;
}
