/* The checking phase of Okuyama 2013, figures 3.3 and 3.7: where the updated cost is lower, it becomes the current cost, and
 * the vertex enters the mask. */
#include "paths/paths.h"

#define CHECK_COSTS_ARGS(A, W)                                                                              \
  A(VALUE, u32, k, "1") A(INOUT, u32, mask, "n*k") A(INOUT, W, cost, "n*k") A(IN, W, updated, "n*k")       \
  A(COUNT, u32, improved, "1")
ARGS(check_costs, CHECK_COSTS_ARGS)

VERTEX_BODY(check_costs) {
  (void)push;
  const W now = a->updated[v];
  if (!(a->cost[v] > now)) return;
  a->cost[v] = now;
  a->mask[v] = 1;
  count->improved++;
}
