/* Links each vertex to its parent, and a vertex without a parent to itself, so that links lead to roots unless parents form a
 * cycle. Counts roots, and vertices whose parent is wrong. */
#include "paths/paths.h"

#define LINK_PARENTS_ARGS(A, W)                                                                             \
  A(IN, W, dist, "n") A(IN, u32, parent, "n") A(IN, u32, proved, "n") A(OUT, u32, link, "n", link, "n")     \
  A(COUNT, u32, roots, "1") A(COUNT, u32, wrong, "1")
ARGS(link_parents, LINK_PARENTS_ARGS)

VERTEX_BODY(link_parents) {
  (void)push;
  const u32 up = a->parent[v];
  const bool reached = a->dist[v] != NO_PATH;
  a->link[v] = up < a->n ? up : v;
  count->roots += reached && up == LS_NO_VERTEX;
  count->wrong += up != LS_NO_VERTEX && !(reached && up < a->n && up != v && a->proved[v]);
}
