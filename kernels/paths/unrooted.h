/* Counts the vertices whose link, after pointer doubling, is not a root: they are on a cycle of links or lead to one. */
#include "paths/paths.h"

#define UNROOTED_ARGS(A, W) A(IN, u32, link, "n", link, "n") A(COUNT, u32, unrooted, "1")
ARGS(unrooted, UNROOTED_ARGS)

VERTEX_BODY(unrooted) {
  (void)push;
  const u32 up = a->link[v];
  count->unrooted += up == LS_NO_VERTEX || a->link[up] != up;
}
