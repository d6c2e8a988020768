/* Numbers new states in the order of the candidates, stores them, and puts their numbers into the table. */
#include "dve/dve.h"

#define DVE_KEEP_ARGS(A, W)                                                                                 \
  A(IN, u32, successors, "words*reach") A(IN, u32, from, "reach") A(IN, u32, slot, "reach")                 \
  A(IN, u32, fresh, "reach") A(IN, u32, rank, "reach") A(VALUE, u32, words, "1") A(VALUE, u32, room, "1")   \
  A(VALUE, u32, known, "1", upto, "room") A(VALUE, u32, reached, "1", upto, "reach")                        \
  A(VALUE, u32, slots, "1") A(INOUT, u32, states, "words*room") A(INOUT, u32, parent, "room")               \
  A(INOUT, u64, table, "slots") A(INOUT, u32, error, "1") A(COUNT, u32, kept, "1")
ARGS(dve_keep, DVE_KEEP_ARGS)

EDGE_BODY(dve_keep) {
  (void)push;
  const u32 words = a->words, at = a->slot[e], rank = a->rank[e];
  if (!a->fresh[e] || rank >= a->room - a->known || at >= a->slots) return;
  const u32 number = a->known + rank;
  const u32 *mine = LS_POINTER(a->successors) + (u64)e * words;
  dve_copy(LS_POINTER(a->states) + (u64)number * words, mine, words);
  a->parent[number] = a->from[e];
  a->table[at] = (a->table[at] >> 32) << 32 | (number + 1);
  if (dve_all_ones(mine, words)) atomic_min(a->error, number);
  count->kept++;
}
