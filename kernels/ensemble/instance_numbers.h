/* The inverse of instance_keys: converts keys back to numbers. */
#include "language/kernel.h"

#define INSTANCE_NUMBERS_ARGS(A, W) A(IN, u64, key, "instances") A(OUT, f64, x, "instances")
ARGS(instance_numbers, INSTANCE_NUMBERS_ARGS)

VERTEX_BODY(instance_numbers) {
  UNUSED_BODY;
  union {
    f64 x;
    u64 bits;
  } as;
  as.bits = a->key[v];
  as.bits = as.bits >> 63 ? as.bits ^ (u64)1 << 63 : ~as.bits;
  a->x[v] = as.x;
}
