/* Copies the edges of this rank's states to the arrays of the whole graph, at the states' global numbers. */
#include "dve/dve.h"

#define DVE_ALL_EDGES_ARGS(A, W)                                                                            \
  A(IN, u32, off, "rows") A(IN, u32, to, "arcs") A(IN, i32, w, "priced*arcs") A(IN, i32, t, "timed*arcs")   \
  A(IN, u32, name, "room") A(IN, u32, all_off, "total") A(VALUE, u32, expanded, "1", upto, "room")          \
  A(VALUE, u32, room, "1") A(VALUE, u32, rows, "1") A(VALUE, u32, arcs, "1") A(VALUE, u32, total, "1")      \
  A(VALUE, u32, links, "1") A(VALUE, u32, priced, "1", flag, "1") A(VALUE, u32, timed, "1", flag, "1")      \
  A(INOUT, u32, all_to, "links") A(INOUT, i32, all_w, "priced*links") A(INOUT, i32, all_t, "timed*links")
ARGS(dve_all_edges, DVE_ALL_EDGES_ARGS)

VERTEX_BODY(dve_all_edges) {
  UNUSED_BODY;
  if (v + 1 >= a->rows || a->name[v] >= a->total) return;
  const u32 last = a->off[v + 1];
  u32 to = a->all_off[a->name[v]];
  for (u32 e = a->off[v]; e < last && e < a->arcs && to < a->links; e++, to++) {
    a->all_to[to] = a->to[e];
    if (a->priced) a->all_w[to] = a->w[e];
    if (a->timed) a->all_t[to] = a->t[e];
  }
}
