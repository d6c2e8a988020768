/* Warshall's closure of a Boolean matrix, 64 pivots per stage, first step of stage k: for each of the pivots 64*k .. 64*k + 63, finds
 * which of them it reaches by paths of only these pivots. One thread per pivot; each round expands all pivots found so far. */
#include "dense/boolean.h"

#define WARSHALL_PIVOTS_ARGS(A, W)                                                                          \
  A(IN, u64, bits, "n*across") A(OUT, u64, within, "64") A(VALUE, u32, k, "1", index, "words") \
  A(VALUE, u32, words, "1", words, "n") \
  A(VALUE, u32, from, "1") A(VALUE, u32, across, "1")
ARGS(warshall_pivots, WARSHALL_PIVOTS_ARGS)

ELEMENT_BODY(warshall_pivots) {
  (void)push, (void)count;
  const u64 first = 64 * (u64)a->k, pivots = a->n - first < 64 ? ((u64)1 << (a->n - first)) - 1 : ~(u64)0;
  const u32 word = word_in_part(a->k, a->from, a->across);
  u64 found = first + i < a->n ? a->bits[(first + i) * a->across + word] & pivots : 0, before;
  do {
    before = found;
    for (u32 sixteen = 0; sixteen < 64; sixteen += 16)
      for (u32 b = 0; b < 16; b++) {
        const u32 p = sixteen + b;
        found |= a->bits[(first + (has_bit(before, p) ? p : 0)) * a->across + word] & all_or_none(before, p);
      }
    found &= pivots;
  } while (found != before);
  a->within[i] = found;
}
