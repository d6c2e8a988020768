/* Counts the steps of each state of a block, and lists the states without any. */
#include "dve/dve.h"

#define DVE_DEGREES_ARGS(A, W)                                                                              \
  A(IN, u32, program, "tables+16", dve_program, "1") A(IN, u32, states, "words*room")                        \
  A(VALUE, u32, first, "1", upto, "room") A(VALUE, u32, sources, "1", upto, "span")                         \
  A(VALUE, u32, words, "1") A(VALUE, u32, room, "1") A(INOUT, u32, degree, "span")                          \
  A(QOUT, u32, dead, "span+1") A(INOUT, u32, fault, "1") A(COUNT, u32, steps, "1")                          \
  A(COUNT, u32, deadlocks, "1") A(COUNT, u32, faults, "1")
ARGS(dve_degrees, DVE_DEGREES_ARGS)

VERTEX_BODY(dve_degrees) {
  const u32 *p = LS_POINTER(a->program), words = a->words, number = a->first + v;
  u32 state[DVE_LOCAL];
  a->degree[v] = 0;
  if (v >= a->room - a->first || words > DVE_LOCAL || words != p[DVE_HEAD_WORDS]) return;
  dve_copy(state, LS_POINTER(a->states) + (u64)number * words, words);
  const u32 degree = dve_degree(p, state);
  if (degree > DVE_MOST_STEPS) {
    count->faults++;
    atomic_min(a->fault, number);
    return;
  }
  a->degree[v] = degree;
  count->steps += degree;
  if (degree || dve_all_ones(state, words)) return;
  count->deadlocks++;
  PUSH(dead, number);
}
