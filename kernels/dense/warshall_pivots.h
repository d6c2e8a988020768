/* Warshall's closure of a Boolean matrix, 64 pivots a turn, first step: which of the pivots 64*k .. 64*k + 63 each of them
 * reaches through these pivots alone. A thread searches from one pivot, all that are found at once. */
#include "dense/boolean.h"

#define WARSHALL_PIVOTS_ARGS(A, W)                                                                          \
  A(IN, u64, bits, "n*words") A(OUT, u64, within, "64") A(VALUE, u32, k, "1", index, "words") \
  A(VALUE, u32, words, "1", words, "n")
ARGS(warshall_pivots, WARSHALL_PIVOTS_ARGS)

ELEMENT_BODY(warshall_pivots) {
  (void)push, (void)count;
  const u64 first = 64 * (u64)a->k, pivots = a->n - first < 64 ? ((u64)1 << (a->n - first)) - 1 : ~(u64)0;
  u64 found = first + i < a->n ? a->bits[(first + i) * a->words + a->k] & pivots : 0, taken = 0;
  while (found != taken) {
    u64 fresh = found & ~taken;
    taken = found;
    while (fresh) {
      const u32 p = take_bit(&fresh, 0), q = take_bit(&fresh, p), r = take_bit(&fresh, p), s = take_bit(&fresh, p);
      const u64 at = (first + p) * a->words + a->k, bt = (first + q) * a->words + a->k,
                ct = (first + r) * a->words + a->k, dt = (first + s) * a->words + a->k;
      found |= (a->bits[at] | a->bits[bt] | a->bits[ct] | a->bits[dt]) & pivots;
    }
  }
  a->within[i] = found;
}
