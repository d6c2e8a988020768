/* Delta-stepping, line 13: every vertex of R requests the relaxation of its heavy edges. R is empty afterwards.
 *
 * paper errs: 001, Algorithm 1, line 13: it takes the heavy edges of B[i], which is empty after the loop of line 8, so that
 * heavy edges are never relaxed. It must take the heavy edges of R, as the text below the listing says. */
#include "paths/delta.h"

#define REQUEST_HEAVY_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(IN, W, dist, "n") A(INOUT, u32, kept, "n")         \
  A(INOUT, W, offer, "m") A(INOUT, u32, overflow, "1") A(VALUE, W, delta, "1")                                \
  A(QOUT, u32, request, "m+1", edge_index_queue, "m") A(COUNT, u32, left, "1")
ARGS(request_heavy, REQUEST_HEAVY_ARGS)

VERTEX_BODY(request_heavy) {
  if (!a->kept[v]) return;
  const W mine = a->dist[v];
  const u32 first = a->off[v], last = a->off[v + 1];
  LOOKED_AT(last - first);
  for (u32 e = first; e < last; e++) {
    if (!(a->w[e] > a->delta)) continue;
    a->offer[e] = ONWARD(mine, a->w[e], a->overflow);
    PUSH(request, e);
  }
  a->kept[v] = 0;
  count->left++;
}
