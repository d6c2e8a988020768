/* Makes two keys of each edge, one from each of its ends; order[v] is the place of v in the order of vertices. */
#include "graph/pairs.h"

#define BOTH_WAYS_ARGS(A, W)                                                                                \
  A(OFF, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n") \
  A(IN, u32, order, "n") A(OUT, u64, key, "2*m")
ARGS(both_ways, BOTH_WAYS_ARGS)

SELECT(both_ways) { return (void)a, (void)v, true; }

EDGES_BODY(both_ways) {
  (void)push, (void)count;
  const u32 t = a->to[e], x = a->order[v], y = a->order[t];
  a->key[2 * (u64)e] = t == v ? NO_PAIR : PAIR_OF(x, y);
  a->key[2 * (u64)e + 1] = t == v ? NO_PAIR : PAIR_OF(y, x);
}
