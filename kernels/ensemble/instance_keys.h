/* Makes sort keys from f64: compared as u64 they are ordered like the numbers; NaNs come last. */
#include "language/kernel.h"

#define INSTANCE_KEYS_ARGS(A, W) A(IN, f64, x, "instances") A(OUT, u64, key, "instances") A(COUNT, u32, numbers, "1")
ARGS(instance_keys, INSTANCE_KEYS_ARGS)

VERTEX_BODY(instance_keys) {
  (void)push;
  union {
    f64 x;
    u64 bits;
  } as;
  as.x = a->x[v];
  const bool is = as.x == as.x;
  a->key[v] = !is ? ~(u64)0 : as.bits >> 63 ? ~as.bits : as.bits | (u64)1 << 63;
  count->numbers += is;
}
