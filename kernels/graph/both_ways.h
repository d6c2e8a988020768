/* Makes two keys of each edge, one from each of its ends. */
#include "graph/pairs.h"

#define BOTH_WAYS_ARGS(A, W) A(OFF, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n") A(OUT, u64, key, "2*m")
ARGS(both_ways, BOTH_WAYS_ARGS)

SELECT(both_ways) { return (void)a, (void)v, true; }

EDGES_BODY(both_ways) {
  (void)push, (void)count;
  const u32 x = a->to[e];
  a->key[2 * (u64)e] = x == v ? NO_PAIR : PAIR_OF(v, x);
  a->key[2 * (u64)e + 1] = x == v ? NO_PAIR : PAIR_OF(x, v);
}
