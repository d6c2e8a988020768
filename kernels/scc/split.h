/* Settles the vertices that have both bits: they form the component of their pivot. */
#include "scc/scc.h"

#define SPLIT_ARGS(A, W)                                                                                    \
  A(INOUT, u32, mark, "n", mark, "n") A(INOUT, u32, comp, "n") A(COUNT, u32, settled, "1")
ARGS(split, SPLIT_ARGS)

VERTEX_BODY(split) {
  (void)push;
  u32 mine = a->mark[v];
  if (mine == SETTLED || (mine & BOTH) != BOTH) return;
  a->comp[v] = mine >> 2;
  a->mark[v] = SETTLED;
  count->settled++;
}
