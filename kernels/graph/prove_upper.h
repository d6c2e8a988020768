/* Finds where the upper part of each row begins, and lists the vertices with more than `most` keys in it. */
#include "graph/pairs.h"

#define PROVE_UPPER_ARGS(A, W)                                                                              \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(VALUE, u32, most, "1")                         \
  A(OUT, u32, upper, "n", upto, "k") A(QOUT, u32, wide, "n+1", vertex_queue, "n") A(COUNT, u32, listed, "1")
ARGS(prove_upper, PROVE_UPPER_ARGS)

VERTEX_BODY(prove_upper) {
  u32 i = a->row[v];
  const u32 past = a->row[v + 1];
  SEEK_PAIR(a, i, past, PAIR_OF(v, v))
  a->upper[v] = i;
  if (i >= past || past - i <= a->most) return;
  count->listed++;
  PUSH(wide, v);
}
