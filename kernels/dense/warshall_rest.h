/* Warshall's closure of a Boolean matrix, 64 pivots a turn, third step: a row takes what the pivots lead to that it has an
 * edge to, by the table of four pivots at a time. A thread has one word of a row. The word that names the pivots may change
 * meanwhile, by the thread that has it; all that this adds are pivots whose rows the table's others contain. */
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
