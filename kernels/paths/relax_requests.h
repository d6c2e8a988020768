/* Delta-stepping, lines 17 to 22, one thread per request. If several requests improve one vertex at the same time, the one
 * with the least distance has the lowest bucket, so an atomic minimum on where[t] leaves the vertex in the right bucket. */
#include "paths/delta.h"

#define RELAX_REQUESTS_ARGS(A, W)                                                                           \
  A(QIN, u32, request, "m+1", edge_index_queue, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, offer, "m")   \
  A(INOUT, W, dist, "n") A(INOUT, i64, where, "n") A(INOUT, u32, filled, "buckets")                         \
  A(VALUE, u32, buckets, "1", positive, "1") A(VALUE, W, delta, "1") A(COUNT, u32, improved, "1")
ARGS(relax_requests, RELAX_REQUESTS_ARGS)

QUEUE_BODY(relax_requests) {
  (void)push;
  if (!(a->delta > 0)) return;
  const u32 e = (u32)item, t = a->to[e];
  const W x = a->offer[e];
  if (!(x < load_relaxed(&a->dist[t]) && x < atomic_min(&a->dist[t], x))) return; /* lines 19 and 22 */
  count->improved++;
  const i64 bucket = (i64)(x / a->delta);
  const i64 before = atomic_min(&a->where[t], bucket);
  if (before <= bucket) return;
  if (before != NO_BUCKET) atomic_add(&a->filled[(u64)before % a->buckets], (u32)-1); /* line 20 */
  atomic_add(&a->filled[(u64)bucket % a->buckets], 1);                                /* line 21 */
}
