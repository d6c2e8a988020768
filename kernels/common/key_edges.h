/* Extracts the edge index, the low 32 bits, from each sorted key; LS_NO_VERTEX beyond the last key. */
#include "language/kernel.h"

#define KEY_EDGES_ARGS(A, W) A(IN, u64, key, "m") A(OUT, u32, from, "k")
ARGS(key_edges, KEY_EDGES_ARGS)

ELEMENT_BODY(key_edges) {
  UNUSED_BODY;
  a->from[i] = i < a->m ? (u32)a->key[i] : LS_NO_VERTEX;
}
