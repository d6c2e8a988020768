/* Makes sort keys that are equal for all edges between the same two vertices, in either direction: the lesser vertex, then the
 * greater; all ones for a self loop. */
#include "language/kernel.h"

#define PAIR_KEYS_ARGS(A, W) A(OFF, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n") A(OUT, u64, key, "m")
ARGS(pair_keys, PAIR_KEYS_ARGS)

SELECT(pair_keys) { return (void)a, (void)v, true; }

EDGES_BODY(pair_keys) {
  (void)push, (void)count;
  const u32 t = a->to[e], low = v < t ? v : t, high = v < t ? t : v;
  a->key[e] = v == t ? ~(u64)0 : (u64)low << 32 | high;
}
