/* Random walks, initially with one walker per vertex. Each walker follows a random out-edge, which depends on its number and
 * the step, or stays if there is none. met[v] counts the visits of v, in the long run its PageRank without jumps.
 *
 *   kernel.load("walks.h")
 *   g = gen.rmat{scale = 10, degree = 8, seed = 1}
 *   at, met = buffer.new("u32", g.n), buffer.new("u32", g.n)
 *   for step = 1, 20 do walks(g, {at = at, met = met, step = step}) end */
#include "language/kernel.h"

PRIM(walks, WALKS_ARGS, UNTYPED, VERTEX, "n", EXACT, "8*n", "2*n",
     "walks(g, {at =, met =, step =}): walker v goes on from at[v] by an edge; met counts visits.\n"
     "Returns how many walkers moved.")

#define WALKS_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, at, "n", vertex, "n") \
  A(INOUT, u32, met, "n") A(VALUE, u32, step, "1") A(COUNT, u32, moved, "1")
ARGS(walks, WALKS_ARGS)

VERTEX_BODY(walks) {
  const u32 from = a->at[v], first = a->off[from], degree = a->off[from + 1] - first;
  u32 there = from;
  if (degree > 0) {
    u64 x = ((u64)a->step << 32 | v) + 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    there = a->to[first + (u32)((x ^ x >> 31) % degree)];
    count->moved++;
  }
  a->at[v] = there;
  atomic_add(&a->met[there], 1);
}
