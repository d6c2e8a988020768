/* The first step of checking PageRank: counts the ranks outside (0, 1]; sums all ranks, and those of dangling vertices (without
 * out-edges). Each sum is in 1024 parts, so that few threads add to the same part. */
#include "language/kernel.h"

#define PROVE_RANKS_ARGS(A, W)                                                                              \
  A(IN, u32, off, "n+1") A(IN, f64, rank, "n") A(INOUT, f64, total, "1024") A(INOUT, f64, dangling, "1024")  \
  A(COUNT, u32, strange, "1")
ARGS(prove_ranks, PROVE_RANKS_ARGS)

VERTEX_BODY(prove_ranks) {
  (void)push;
  const f64 rank = a->rank[v];
  count->strange += !(rank > 0 && rank <= 1 + 1e-9);
  atomic_add(&a->total[v % 1024], rank);
  if (a->off[v] == a->off[v + 1]) atomic_add(&a->dangling[v % 1024], rank);
}
