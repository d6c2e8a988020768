/* The last step of checking PageRank: computes by how much a step of the random walk changes each rank, and how much of that may be due
 * to rounding (a sum of k positive terms is rounded k times). Both are summed in 1024 parts, so that few threads add to the same part. */
#include "language/kernel.h"

#define PROVE_STEP_ARGS(A, W)                                                                               \
  A(IN, f64, rank, "n") A(IN, f64, arrived, "n") A(IN, u32, shares, "n") A(IN, f64, step, "2")              \
  A(INOUT, f64, change, "1024") A(INOUT, f64, rounding, "1024")
ARGS(prove_step, PROVE_STEP_ARGS)

VERTEX_BODY(prove_step) {
  (void)push, (void)count;
  const f64 next = a->step[0] * a->arrived[v] + a->step[1], change = next - a->rank[v];
  atomic_add(&a->change[v % 1024], change < 0 ? -change : change);
  atomic_add(&a->rounding[v % 1024], (a->shares[v] + 16.0) * 0x1p-52 * next);
}
