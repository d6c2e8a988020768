/* Makes the answers to other ranks: the global number of each candidate's state, in the order in which the candidates were received. */
#include "dve/dve.h"

#define DVE_ANSWER_ARGS(A, W)                                                                               \
  A(IN, u64, table, "slots") A(IN, u32, slot, "reach") A(IN, u32, number, "reach")                          \
  A(IN, u32, came, "linked*reach") A(IN, u32, name, "room") A(VALUE, u32, slots, "1")                       \
  A(VALUE, u32, reach, "1") A(VALUE, u32, reached, "1", upto, "reach") A(VALUE, u32, room, "1")             \
  A(VALUE, u32, linked, "1", flag, "1") A(INOUT, u32, answer, "linked*reach")
ARGS(dve_answer, DVE_ANSWER_ARGS)

EDGE_BODY(dve_answer) {
  UNUSED_BODY;
  if (!a->linked) return;
  const u32 at = a->came[e];
  if (at >= a->reach) return;
  const u32 slot = a->slot[at], own = slot < a->slots ? (u32)a->table[slot] - 1 : a->number[at];
  a->answer[e] = own < a->room ? a->name[own] : DVE_NONE;
}
