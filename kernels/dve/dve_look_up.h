/* Looks candidates up in the hash table of states and inserts new ones. An entry has 32 bits of the hash and, in the lower
 * half, the state's number + 1; 0 is free. While a block is being looked up, known + c is the provisional number of
 * candidate c. */
#include "dve/dve.h"

#define DVE_LOOK_UP_ARGS(A, W)                                                                              \
  A(IN, u32, successors, "words*reach") A(IN, u32, states, "words*room") A(VALUE, u32, words, "1")          \
  A(VALUE, u32, room, "1") A(VALUE, u32, known, "1", upto, "room") A(VALUE, u32, reach, "1")                \
  A(VALUE, u32, reached, "1", upto, "reach") A(VALUE, u32, slots, "1") A(INOUT, u64, table, "slots")        \
  A(INOUT, u32, number, "reach") A(INOUT, u32, slot, "reach") A(COUNT, u32, probes, "1")                    \
  A(COUNT, u32, seen, "1") A(COUNT, u32, lost, "1")
ARGS(dve_look_up, DVE_LOOK_UP_ARGS)

EDGE_BODY(dve_look_up) {
  (void)push;
  const u32 words = a->words, known = a->known, *mine = LS_POINTER(a->successors) + (u64)e * words;
  const u64 h = dve_mixed(mine, words), own = h << 32 | (known + e + 1);
  u32 at = dve_slot(h, a->slots);
  a->number[e] = a->slot[e] = DVE_NONE;
  for (u32 looked = 0; looked < a->slots; looked++, at = at + 1 < a->slots ? at + 1 : 0) {
    count->probes++;
    u64 entry = load_relaxed(&a->table[at]);
    if (entry == 0) {
      if (dve_claim(&a->table[at], own)) {
        a->slot[e] = at;
        return;
      }
      entry = load_relaxed(&a->table[at]);
    }
    if ((entry ^ own) >> 32) continue;
    const u32 other = (u32)entry - 1;
    if (other < known) {
      if (!dve_same(mine, LS_POINTER(a->states) + (u64)other * words, words)) continue;
      a->number[e] = other;
      count->seen++;
      return;
    }
    if (other - known >= a->reached || !dve_same(mine, LS_POINTER(a->successors) + (u64)(other - known) * words, words)) continue;
    if (other - known > e) atomic_min(&a->table[at], own);
    a->slot[e] = at;
    return;
  }
  count->lost++;
}
