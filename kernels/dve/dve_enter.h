/* Inserts all known states into an empty table, after the table has grown. States need not be compared, since all are
 * different. */
#include "dve/dve.h"

#define DVE_ENTER_ARGS(A, W)                                                                                \
  A(IN, u32, states, "words*room") A(VALUE, u32, known, "1", upto, "room") A(VALUE, u32, words, "1")        \
  A(VALUE, u32, room, "1") A(VALUE, u32, slots, "1") A(INOUT, u64, table, "slots") A(COUNT, u32, probes, "1") \
  A(COUNT, u32, lost, "1")
ARGS(dve_enter, DVE_ENTER_ARGS)

VERTEX_BODY(dve_enter) {
  (void)push;
  const u64 h = dve_mixed(LS_POINTER(a->states) + (u64)v * a->words, a->words), own = h << 32 | (v + 1);
  u32 at = dve_slot(h, a->slots);
  for (u32 looked = 0; looked < a->slots; looked++, at = at + 1 < a->slots ? at + 1 : 0) {
    count->probes++;
    if (load_relaxed(&a->table[at]) == 0 && dve_claim(&a->table[at], own)) return;
  }
  count->lost++;
}
