/* Writes the edges of a block. Runs after the new states have been numbered: the table then has the number of every new target. */
#include "dve/dve.h"

#define DVE_CONNECT_ARGS(A, W)                                                                              \
  A(IN, u64, table, "slots") A(IN, u32, slot, "reach") A(IN, u32, number, "reach")                          \
  A(IN, i32, cost, "priced*reach") A(IN, i32, time, "timed*reach") A(VALUE, u32, slots, "1")                \
  A(VALUE, u32, reach, "1") A(VALUE, u32, reached, "1", upto, "reach")                                      \
  A(VALUE, u32, priced, "1", flag, "1") A(VALUE, u32, timed, "1", flag, "1") A(VALUE, u32, arcs, "1")       \
  A(VALUE, u32, edges, "1", upto, "arcs") A(INOUT, u32, to, "arcs") A(INOUT, i32, w, "priced*arcs")         \
  A(INOUT, i32, t, "timed*arcs")
ARGS(dve_connect, DVE_CONNECT_ARGS)

EDGE_BODY(dve_connect) {
  (void)push, (void)count;
  const u32 at = a->slot[e], i = a->edges + e;
  if (e >= a->arcs - a->edges) return;
  a->to[i] = at < a->slots ? (u32)a->table[at] - 1 : a->number[e];
  if (a->priced) a->w[i] = a->cost[e];
  if (a->timed) a->t[i] = a->time[e];
}
