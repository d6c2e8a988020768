/* Marks the new candidates; among equal ones, only the first. */
#include "dve/dve.h"

#define DVE_FRESH_ARGS(A, W)                                                                                \
  A(IN, u64, table, "slots") A(IN, u32, slot, "reach") A(VALUE, u32, slots, "1") A(VALUE, u32, known, "1")  \
  A(VALUE, u32, reached, "1", upto, "reach") A(INOUT, u32, fresh, "reach") A(COUNT, u32, found, "1")
ARGS(dve_fresh, DVE_FRESH_ARGS)

EDGE_BODY(dve_fresh) {
  (void)push;
  const u32 at = a->slot[e];
  const bool first = at < a->slots && (u32)a->table[at] - 1 == a->known + e;
  a->fresh[e] = first;
  count->found += first;
}
