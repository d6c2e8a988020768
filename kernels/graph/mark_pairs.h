/* Marks the first of each group of equal keys (those of pair_keys, sorted), except for the keys of self loops, and counts the
 * neighbours of each vertex. */
#include "language/kernel.h"

#define MARK_PAIRS_ARGS(A, W)                                                                               \
  A(IN, u64, key, "m") A(OUT, u32, keep, "m", flag, "1") A(INOUT, u32, degree, "n") A(COUNT, u32, kept, "1")
ARGS(mark_pairs, MARK_PAIRS_ARGS)

ELEMENT_BODY(mark_pairs) {
  (void)push;
  const u64 key = a->key[i];
  const u32 low = (u32)(key >> 32), high = (u32)key;
  const bool is_first = low < a->n && high < a->n && (i == 0 || a->key[i - 1] != key);
  a->keep[i] = is_first;
  if (!is_first) return;
  atomic_add(&a->degree[low], 1u);
  atomic_add(&a->degree[high], 1u);
  count->kept++;
}
