/* Counts components: each has one representative, with comp[v] = v. */
#include "language/kernel.h"

#define COUNT_COMPONENTS_ARGS(A, W) A(IN, u32, comp, "n") A(COUNT, u32, components, "1")
ARGS(count_components, COUNT_COMPONENTS_ARGS)

VERTEX_BODY(count_components) {
  (void)push;
  count->components += a->comp[v] == v; /* no branch, because it would be mispredicted often */
}
