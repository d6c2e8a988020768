/* The inverse of a sorted order: order[x] = i if x is the low half of the i-th key. */
#include "language/kernel.h"

#define INVERT_KEYS_ARGS(A, W) A(IN, u64, key, "n") A(INOUT, u32, order, "n")
ARGS(invert_keys, INVERT_KEYS_ARGS)

VERTEX_BODY(invert_keys) {
  UNUSED_BODY;
  const u32 x = (u32)a->key[v];
  if (x < a->n) a->order[x] = v;
}
