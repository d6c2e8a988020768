/* Distributes the rank of every vertex over its out-edges, in equal shares; sums and counts the shares that arrive at each vertex.
 * Unlike rank_pull and rank_gather it uses no in-edges, and adds the shares in any order. */
#include "language/kernel.h"

#define PROVE_WALK_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, f64, rank, "n")               \
  A(INOUT, f64, arrived, "n") A(INOUT, u32, shares, "n")
ARGS(prove_walk, PROVE_WALK_ARGS)

SELECT(prove_walk) { return (void)a, (void)v, true; }

EDGES_BODY(prove_walk) {
  (void)push, (void)count;
  const u32 x = a->to[e];
  atomic_add(&a->arrived[x], a->rank[v] / (a->off[v + 1] - a->off[v]));
  atomic_add(&a->shares[x], 1u);
}
