/* Stores how many steps each of this rank's states has, at the state's global number. */
#include "dve/dve.h"

#define DVE_SPREAD_ARGS(A, W)                                                                               \
  A(IN, u32, begins, "rows") A(IN, u32, name, "room") A(VALUE, u32, first, "1", upto, "room")               \
  A(VALUE, u32, sources, "1") A(VALUE, u32, rows, "1") A(VALUE, u32, room, "1") A(VALUE, u32, base, "1")    \
  A(VALUE, u32, stretch, "1") A(INOUT, u32, degrees, "stretch")
ARGS(dve_spread, DVE_SPREAD_ARGS)

VERTEX_BODY(dve_spread) {
  UNUSED_BODY;
  if (v >= a->room - a->first || v + 1 >= a->rows) return;
  const u32 at = a->name[a->first + v] - a->base;
  if (at < a->stretch) a->degrees[at] = a->begins[v + 1] - a->begins[v];
}
