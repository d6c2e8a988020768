/* Computes the share of its rank that a vertex passes along each out-edge: rank / out-degree; 0 if it has none (dangling). */
#include "language/kernel.h"

#define RANK_SHARE_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, f64, rank, "n") A(OUT, f64, share, "n")
ARGS(rank_share, RANK_SHARE_ARGS)

VERTEX_BODY(rank_share) {
  (void)count, (void)push;
  const u32 degree = a->off[v + 1] - a->off[v];
  a->share[v] = degree ? a->rank[v] / degree : 0;
}
