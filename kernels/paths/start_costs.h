/* Initialises the problems of k sources, [vertex][source]: in its own problem a source has cost 0 and is in the mask; no other
 * vertex is reached. Okuyama 2013, figure 3.3, lines 1 to 3, for each source. */
#include "paths/paths.h"

#define START_COSTS_ARGS(A, W)                                                                              \
  A(IN, u32, source, "k") A(VALUE, u32, k, "1") A(VALUE, W, far, "1") A(OUT, u32, mask, "n*k") A(OUT, W, cost, "n*k") \
  A(OUT, W, updated, "n*k")
ARGS(start_costs, START_COSTS_ARGS)

VERTEX_BODY(start_costs) {
  (void)push, (void)count;
  const u32 u = v / a->k, s = v % a->k;
  const bool source = a->source[s] == u;
  a->cost[v] = source ? 0 : a->far;
  a->updated[v] = a->far;
  a->mask[v] = source;
}
