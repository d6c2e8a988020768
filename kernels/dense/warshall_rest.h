/* Warshall's closure of a Boolean matrix, 64 pivots a turn, second step: a row takes what the pivots lead to that it has
 * an edge to. A thread has one word of a row. The word that names the pivots may change meanwhile, by the thread that has
 * it; all that this adds are pivots whose rows others of the panel contain. */
#include "dense/boolean.h"

#define WARSHALL_REST_ARGS(A, W)                                                                            \
  A(INOUT, u64, bits, "n*words") A(IN, u64, panel, "64*words") A(VALUE, u32, k, "1", index, "words") \
  A(VALUE, u32, words, "1", words, "n")
ARGS(warshall_rest, WARSHALL_REST_ARGS)

ELEMENT_BODY(warshall_rest) {
  (void)push, (void)count;
  const u32 word = (u32)(i % a->words);
  u64 through = load_relaxed(&a->bits[i - word + a->k]);
  if (!through) return;
  u64 leads = load_relaxed(&a->bits[i]);
  while (through) {
    const u32 p = take_bit(&through, 0), q = take_bit(&through, p), r = take_bit(&through, p), s = take_bit(&through, p);
    leads |= a->panel[p * (u64)a->words + word] | a->panel[q * (u64)a->words + word] | a->panel[r * (u64)a->words + word] |
             a->panel[s * (u64)a->words + word];
  }
  store_relaxed(&a->bits[i], leads);
}
