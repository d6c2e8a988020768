/* Candidates as bits at the places of their numbers: all that have come here, or the first ones of equal new
 * ones. */
#include "dve/dve.h"

#define DVE_MARK_ARGS(A, W)                                                                                 \
  A(IN, u32, keys, "stride*reach") A(IN, u32, fresh, "reach") A(VALUE, u32, reached, "1", upto, "reach")            \
  A(VALUE, u32, all, "1", flag, "1") A(VALUE, u32, stride, "1") A(VALUE, u32, pieces, "1") A(INOUT, u32, bits, "pieces")
ARGS(dve_mark, DVE_MARK_ARGS)

EDGE_BODY(dve_mark) {
  UNUSED_BODY;
  const u32 at = LS_POINTER(a->keys)[(u64)e * a->stride + a->stride - 1];
  if ((a->all || a->fresh[e]) && at / 32 < a->pieces) atomic_or(&a->bits[at / 32], 1u << at % 32);
}
