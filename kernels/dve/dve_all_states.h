/* Copies this rank's states and their parents to the arrays of all states, at the states' global numbers. */
#include "dve/dve.h"

#define DVE_ALL_STATES_ARGS(A, W)                                                                           \
  A(IN, u32, states, "words*room") A(IN, u32, parent, "room") A(IN, u32, name, "room")                      \
  A(VALUE, u32, known, "1", upto, "room") A(VALUE, u32, words, "1") A(VALUE, u32, room, "1")                \
  A(VALUE, u32, total, "1") A(INOUT, u32, all_states, "words*total") A(INOUT, u32, all_parents, "total")
ARGS(dve_all_states, DVE_ALL_STATES_ARGS)

VERTEX_BODY(dve_all_states) {
  UNUSED_BODY;
  const u32 to = a->name[v], words = a->words;
  if (to >= a->total) return;
  dve_copy(LS_POINTER(a->all_states) + (u64)to * words, LS_POINTER(a->states) + (u64)v * words, words);
  a->all_parents[to] = a->parent[v];
}
