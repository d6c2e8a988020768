/* Sets the bits of a graph's edges in a Boolean matrix, or in some word columns of it; one thread per edge. */
#include "dense/boolean.h"

#define BITS_EDGES_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u64, bits, "n*across") \
  A(VALUE, u32, from, "1") A(VALUE, u32, across, "1")
ARGS(bits_edges, BITS_EDGES_ARGS)

SELECT(bits_edges) { return (void)a, (void)v, true; }

EDGES_BODY(bits_edges) {
  (void)push, (void)count;
  const u32 t = a->to[e], word = t / 64 - a->from; /* unsigned: wraps to a large number if t is before the part */
  if (word < a->across) atomic_or(&a->bits[(u64)v * a->across + word], (u64)1 << t % 64);
}
