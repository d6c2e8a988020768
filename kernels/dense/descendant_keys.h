/* Topological order by a closed Boolean matrix: a vertex comes before its descendants, for it has more of them. */
#include "language/kernel.h"

#define DESCENDANT_KEYS_ARGS(A, W) \
  A(IN, u64, bits, "n*words") A(OUT, u64, key, "n") \
  A(VALUE, u32, words, "1", words, "n") A(COUNT, u32, cyclic, "1")
ARGS(descendant_keys, DESCENDANT_KEYS_ARGS)

VERTEX_BODY(descendant_keys) {
  (void)push;
  LS_ARRAY(const u64) row = a->bits + (u64)v * a->words;
  u32 descendants = 0;
  for (u32 k = 0; k < a->words; k++) descendants += BIT_COUNT(row[k]);
  a->key[v] = (u64)(a->n - descendants) << 32 | v;
  count->cyclic += row[v / 64] >> v % 64 & 1;
}
