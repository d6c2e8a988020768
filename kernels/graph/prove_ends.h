/* Makes keys by which vertices are sorted: by number of edges, then by vertex number. */
#include "language/kernel.h"

#define PROVE_ENDS_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, u32, indegree, "n") A(OUT, u64, key, "n")
ARGS(prove_ends, PROVE_ENDS_ARGS)

VERTEX_BODY(prove_ends) {
  UNUSED_BODY;
  a->key[v] = ((u64)(a->off[v + 1] - a->off[v]) + a->indegree[v]) << 32 | v;
}
