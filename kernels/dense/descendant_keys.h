/* Topological order by a closed Boolean matrix: a vertex comes before its descendants, for it has more of them. */
#include "language/kernel.h"

#define DESCENDANT_KEYS_ARGS(A, W) A(IN, u32, descendants, "n") A(OUT, u64, key, "n")
ARGS(descendant_keys, DESCENDANT_KEYS_ARGS)

VERTEX_BODY(descendant_keys) {
  (void)push, (void)count;
  a->key[v] = (u64)(a->n - a->descendants[v]) << 32 | v;
}
