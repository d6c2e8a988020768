/* Warshall's closure of a Boolean matrix, 64 pivots per stage, third step: to each row, adds the rows of all pivots to which it
 * has an edge, by one table look-up for every four pivots. One thread per word of a row. The word that selects the pivots may be
 * changed by its own thread while others read it. This race is harmless: the bits added meanwhile select only pivots whose rows
 * are already contained in the rows that the other bits select. */
#include "dense/boolean.h"

#define WARSHALL_REST_ARGS(A, W)                                                                             \
  A(INOUT, u64, bits, "n*across") A(IN, u64, table, "256*across") A(VALUE, u32, k, "1", index, "words") \
  A(VALUE, u32, words, "1", words, "n") \
  A(VALUE, u32, from, "1") A(VALUE, u32, across, "1")
ARGS(warshall_rest, WARSHALL_REST_ARGS)

ELEMENT_BODY(warshall_rest) {
  (void)push, (void)count;
  const u32 word = (u32)(i % a->across);
  const u64 through = load_relaxed(&a->bits[i - word + word_in_part(a->k, a->from, a->across)]);
  if (!through) return;
  u64 leads = load_relaxed(&a->bits[i]);
  for (u32 four = 0; four < 16; four++)
    leads |= a->table[(16 * four + (u32)(through >> 4 * four & 15)) * (u64)a->across + word];
  store_relaxed(&a->bits[i], leads);
}
