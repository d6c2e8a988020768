/* The recording kernel of Okuyama 2013, section 3.4.3: every vertex finds, in the problem of each source, a predecessor from
 * which a tight edge leads to it. If all weights are positive, one pass is enough.
 *
 * paper errs: 004, section 3.4.3, recording kernel: around a cycle of weight 0 vertices become each other's parents. An edge of
 * weight 0 may be taken only from a vertex that already has a parent, and passes are repeated until one finds no parent. */
#include "paths/paths.h"

#define RECORD_PARENTS_ARGS(A, W)                                                                           \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, W, rw, "m")                  \
  A(VALUE, u32, k, "1") A(IN, u32, sources, "k", vertex, "n") A(IN, W, cost, "n*k") A(INOUT, u32, parent, "n*k")                  \
  A(INOUT, u32, overflow, "1") A(COUNT, u32, recorded, "1")
ARGS(record_parents, RECORD_PARENTS_ARGS)

VERTEX_BODY(record_parents) {
  (void)push;
  const u32 k = a->k, u = v / k, s = v % k;
  const W mine = a->cost[v];
  if (mine == NO_PATH || u == a->sources[s] || load_relaxed(&a->parent[v]) != LS_NO_VERTEX) return;
  for (u32 e = a->roff[u]; e < a->roff[u + 1]; e++) {
    const u32 from = a->rto[e];
    const W theirs = a->cost[(u64)from * k + s];
    if (theirs == NO_PATH || ONWARD(theirs, a->rw[e], a->overflow) != mine) continue;
    const bool rooted = from == a->sources[s] || load_relaxed(&a->parent[(u64)from * k + s]) != LS_NO_VERTEX;
    if (!rooted && !(theirs < mine)) continue;
    store_relaxed(&a->parent[v], from);
    count->recorded++;
    return;
  }
}
