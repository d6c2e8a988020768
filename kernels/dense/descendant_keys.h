/* Makes sort keys for a topological order from the numbers of descendants: a vertex has more descendants than any of its
 * descendants, so it comes first. */
#include "language/kernel.h"

#define DESCENDANT_KEYS_ARGS(A, W) A(IN, u32, descendants, "n") A(OUT, u64, key, "n")
ARGS(descendant_keys, DESCENDANT_KEYS_ARGS)

VERTEX_BODY(descendant_keys) {
  (void)push, (void)count;
  a->key[v] = (u64)(a->n - a->descendants[v]) << 32 | v;
}
