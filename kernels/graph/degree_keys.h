/* Makes keys by which vertices are sorted: by number of neighbours, then by vertex number. */
#include "language/kernel.h"

#define DEGREE_KEYS_ARGS(A, W) A(IN, u32, degree, "n") A(OUT, u64, key, "n")
ARGS(degree_keys, DEGREE_KEYS_ARGS)

VERTEX_BODY(degree_keys) {
  UNUSED_BODY;
  a->key[v] = (u64)a->degree[v] << 32 | v;
}
