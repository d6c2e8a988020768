/* Makes each strongly connected component a region; a vertex without a component becomes a region of its own. */
#include "language/kernel.h"

#define POLICY_REGIONS_ARGS(A, W) A(IN, u32, comp, "n") A(OUT, u32, region, "n", vertex, "n")
ARGS(policy_regions, POLICY_REGIONS_ARGS)

VERTEX_BODY(policy_regions) {
  (void)push, (void)count;
  a->region[v] = a->comp[v] < a->n ? a->comp[v] : v;
}
