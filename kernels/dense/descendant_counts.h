/* Counts the descendants of each vertex in some word columns of a closed Boolean matrix, and the vertices that are on cycles. */
#include "language/kernel.h"

#define DESCENDANT_COUNTS_ARGS(A, W) \
  A(IN, u64, bits, "n*across") A(OUT, u32, descendants, "n") \
  A(VALUE, u32, from, "1") A(VALUE, u32, across, "1") A(COUNT, u32, cyclic, "1")
ARGS(descendant_counts, DESCENDANT_COUNTS_ARGS)

VERTEX_BODY(descendant_counts) {
  (void)push;
  LS_ARRAY(const u64) row = a->bits + (u64)v * a->across;
  const u32 own = v / 64 - a->from; /* unsigned: wraps to a large number if v is before the part */
  u32 found = 0;
  for (u32 k = 0; k < a->across; k++) found += BIT_COUNT(row[k]);
  a->descendants[v] = found;
  if (own < a->across) count->cyclic += row[own] >> v % 64 & 1;
}
