/* Warshall's closure of a Boolean matrix, 64 pivots per stage, second step: tabulates the union of the rows for each of the 16
 * subsets of each of the 16 groups of four pivots. So the third step needs 16 look-ups per word, not 64 (Arlazarov, Dinic,
 * Kronrod, Faradzev 1970). One thread per word of a table entry. */
#include "dense/boolean.h"

#define WARSHALL_TABLE_ARGS(A, W)                                                                           \
  A(IN, u64, bits, "n*across") A(IN, u64, within, "64") A(OUT, u64, table, "256*across") \
  A(VALUE, u32, k, "1", index, "words") A(VALUE, u32, words, "1", words, "n") \
  A(VALUE, u32, from, "1") A(VALUE, u32, across, "1")
ARGS(warshall_table, WARSHALL_TABLE_ARGS)

ELEMENT_BODY(warshall_table) {
  (void)push, (void)count;
  const u32 word = (u32)(i % a->across), line = (u32)(i / a->across), four = line / 16, choice = line % 16;
  const u64 first = 64 * (u64)a->k, pivots = a->n - first < 64 ? ((u64)1 << (a->n - first)) - 1 : ~(u64)0;
  u64 reached = (u64)choice << 4 * four & pivots, leads = 0;
  for (u64 chosen = reached; chosen; chosen &= chosen - 1) reached |= a->within[LOWEST_BIT(chosen)] & pivots;
  for (u32 sixteen = 0; sixteen < 64; sixteen += 16)
    for (u32 b = 0; b < 16; b++) {
      const u32 p = sixteen + b;
      leads |= a->bits[(first + (has_bit(reached, p) ? p : 0)) * a->across + word] & all_or_none(reached, p);
    }
  a->table[i] = leads;
}
