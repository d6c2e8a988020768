/* The Boolean matrix of a graph's edges, an edge a thread. */
#include "language/kernel.h"

#define BITS_EDGES_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u64, bits, "n*words") \
  A(VALUE, u32, words, "1", words, "n")
ARGS(bits_edges, BITS_EDGES_ARGS)

SELECT(bits_edges) { return (void)a, (void)v, true; }

EDGES_BODY(bits_edges) {
  (void)push, (void)count;
  const u32 t = a->to[e];
  atomic_or(&a->bits[(u64)v * a->words + t / 64], (u64)1 << t % 64);
}
