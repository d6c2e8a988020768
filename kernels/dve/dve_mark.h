/* For each new state of this rank, sets the bit whose index is the number of its candidate. */
#include "dve/dve.h"

#define DVE_MARK_ARGS(A, W)                                                                                 \
  A(IN, u32, key, "reach") A(IN, u32, fresh, "reach") A(VALUE, u32, reached, "1", upto, "reach")            \
  A(VALUE, u32, pieces, "1") A(INOUT, u32, bits, "pieces")
ARGS(dve_mark, DVE_MARK_ARGS)

EDGE_BODY(dve_mark) {
  UNUSED_BODY;
  const u32 at = a->key[e];
  if (a->fresh[e] && at / 32 < a->pieces) atomic_or(&a->bits[at / 32], 1u << at % 32);
}
