/* Computes what a vertex passes on along each out-edge in PageRank: rank / out-degree; 0 for a dangling vertex (no out-edges). */
#include "language/kernel.h"

#define RANK_SHARE_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, f64, rank, "n") A(OUT, f64, share, "n")
ARGS(rank_share, RANK_SHARE_ARGS)

VERTEX_BODY(rank_share) {
  (void)count, (void)push;
  const u32 degree = a->off[v + 1] - a->off[v];
  a->share[v] = degree ? a->rank[v] / degree : 0;
}
