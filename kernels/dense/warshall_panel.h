/* Warshall's closure of a Boolean matrix, 64 pivots a turn, first step: the rows of the pivots 64*k .. 64*k + 63 are closed
 * within themselves. A thread makes one word of one row of the panel: it searches from its row over the other pivots, all
 * that are found at once, and takes each one's word. */
#include "dense/boolean.h"

#define WARSHALL_PANEL_ARGS(A, W)                                                                           \
  A(IN, u64, bits, "n*words") A(OUT, u64, panel, "64*words") A(VALUE, u32, k, "1", index, "words") \
  A(VALUE, u32, words, "1", words, "n")
ARGS(warshall_panel, WARSHALL_PANEL_ARGS)

ELEMENT_BODY(warshall_panel) {
  (void)push, (void)count;
  const u32 word = (u32)(i % a->words), row = (u32)(i / a->words);
  const u64 first = 64 * (u64)a->k, pivots = a->n - first < 64 ? ((u64)1 << (a->n - first)) - 1 : ~(u64)0;
  u64 leads = 0;
  if (first + row < a->n) {
    u64 found = (u64)1 << row, taken = 0;
    while (found != taken) {
      u64 fresh = found & ~taken;
      taken = found;
      while (fresh) {
        const u32 p = take_bit(&fresh, 0), q = take_bit(&fresh, p), r = take_bit(&fresh, p), s = take_bit(&fresh, p);
        const u64 at = (first + p) * a->words, bt = (first + q) * a->words, ct = (first + r) * a->words,
                  dt = (first + s) * a->words;
        found |= (a->bits[at + a->k] | a->bits[bt + a->k] | a->bits[ct + a->k] | a->bits[dt + a->k]) & pivots;
        leads |= a->bits[at + word] | a->bits[bt + word] | a->bits[ct + word] | a->bits[dt + word];
      }
    }
  }
  a->panel[i] = leads;
}
