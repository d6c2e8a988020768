/* Counts the keys that are not in ascending order, and those that are not in the row of their first vertex: row[v] to row[v + 1]. */
#include "graph/pairs.h"

#define PROVE_ROWS_ARGS(A, W)                                                                               \
  A(IN, u64, key, "k") A(IN, u32, row, "n+1", offset, "k") A(COUNT, u32, wrong, "1")
ARGS(prove_rows, PROVE_ROWS_ARGS)

ELEMENT_BODY(prove_rows) {
  (void)push;
  const u64 key = a->key[i];
  const u32 u = (u32)(key >> 32);
  const bool inside = u < a->n ? a->row[u] <= i && i < a->row[u + 1] : key == NO_PAIR && i >= a->row[a->n];
  count->wrong += !inside || (i > 0 && a->key[i - 1] > key);
}
