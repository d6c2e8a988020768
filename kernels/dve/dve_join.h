/* Writes a block's edges, once the ranks that own the candidates have sent back the candidates' numbers. */
#include "dve/dve.h"

#define DVE_JOIN_ARGS(A, W)                                                                                 \
  A(IN, u32, number, "reach") A(IN, u32, went, "linked*reach") A(IN, i32, cost, "priced*reach")             \
  A(IN, i32, time, "timed*reach") A(VALUE, u32, reach, "1") A(VALUE, u32, made, "1", upto, "reach")         \
  A(VALUE, u32, linked, "1", flag, "1") A(VALUE, u32, priced, "1", flag, "1") A(VALUE, u32, timed, "1", flag, "1") \
  A(VALUE, u32, arcs, "1") A(VALUE, u32, edges, "1", upto, "arcs") A(INOUT, u32, to, "arcs")                \
  A(INOUT, i32, w, "priced*arcs") A(INOUT, i32, t, "timed*arcs")
ARGS(dve_join, DVE_JOIN_ARGS)

EDGE_BODY(dve_join) {
  UNUSED_BODY;
  const u32 i = a->edges + e;
  if (!a->linked || e >= a->arcs - a->edges || a->went[e] >= a->reach) return;
  a->to[i] = a->number[a->went[e]];
  if (a->priced) a->w[i] = a->cost[e];
  if (a->timed) a->t[i] = a->time[e];
}
