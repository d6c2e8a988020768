/* The largest weight out of each vertex, one thread for each vertex.
 *
 *   kernel.load("heaviest.h")
 *   g = gen.rmat{scale = 10, degree = 8, seed = 1, weights = "i32"}
 *   best = buffer.new("i32", g.n)
 *   heaviest(g, best) */
#include "language/kernel.h"

PRIM(heaviest, HEAVIEST_ARGS, FOR_W, VERTEX, "n", EXACT, "4*n + (m + found)*size", "0",
     "heaviest(g, best): best[v] = the largest weight of an edge out of v; unchanged if there is none.\n"
     "Returns how many vertices have an edge.")

#define HEAVIEST_ARGS(A, W) \
  A(IN, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(INOUT, W, best, "n") A(COUNT, u32, found, "1")
ARGS(heaviest, HEAVIEST_ARGS)

VERTEX_BODY(heaviest) {
  const u32 first = a->off[v], last = a->off[v + 1];
  if (first == last) return;
  W most = a->w[first];
  for (u32 e = first + 1; e < last; e++)
    if (a->w[e] > most) most = a->w[e];
  a->best[v] = most;
  count->found++;
}
