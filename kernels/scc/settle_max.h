/* Settles v if its two maxima agree: the vertex with that identifier reaches v and is reached from v, so it represents the
 * component. */
#include "scc/scc.h"

#define SETTLE_MAX_ARGS(A, W)                                                                               \
  A(INOUT, u32, mark, "n", mark, "n") A(INOUT, u32, comp, "n") A(INOUT, u32, max_in, "n", scattered, "n")   \
  A(INOUT, u32, max_out, "n", scattered, "n") A(COUNT, u32, live, "1")
ARGS(settle_max, SETTLE_MAX_ARGS)

VERTEX_BODY(settle_max) {
  (void)push;
  if (a->mark[v] == SETTLED) return;
  if (a->max_in[v] == a->max_out[v]) {
    a->comp[v] = unscatter_id(a->max_in[v]);
    a->mark[v] = SETTLED;
    return;
  }
  a->max_in[v] = a->max_out[v] = scatter_id(v);
  count->live++;
}
