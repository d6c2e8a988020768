/* Delta-stepping, lines 9 to 11: every vertex of the current bucket requests the relaxation of its light edges and moves
 * from the bucket to R. One thread per vertex (Lesnikov and Chernoskutov 2016, section 3.2). */
#include "paths/delta.h"

#define REQUEST_LIGHT_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(IN, W, dist, "n")                                  \
  A(INOUT, i64, where, "n") A(INOUT, u32, kept, "n") A(INOUT, u32, filled, "buckets") A(IN, i64, bucket, "1") \
  A(VALUE, u32, buckets, "1", positive, "1")                                                               \
  A(INOUT, W, offer, "m") A(INOUT, u32, overflow, "1") A(VALUE, W, delta, "1")                                \
  A(QOUT, u32, request, "m+1", edge_index_queue, "m") A(COUNT, u32, taken, "1")
ARGS(request_light, REQUEST_LIGHT_ARGS)

VERTEX_BODY(request_light) {
  const i64 i = *a->bucket;
  if (a->where[v] != i || i < 0) return;
  const W mine = a->dist[v];
  const u32 first = a->off[v], last = a->off[v + 1];
  LOOKED_AT(last - first);
  for (u32 e = first; e < last; e++) {
    if (a->w[e] > a->delta) continue;
    a->offer[e] = ONWARD(mine, a->w[e], a->overflow);
    PUSH(request, e);
  }
  a->kept[v] = 1;
  a->where[v] = NO_BUCKET;
  atomic_add(&a->filled[(u64)i % a->buckets], (u32)-1);
  count->taken++;
}
