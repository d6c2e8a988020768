/* Do the paths of a matrix of successors end? Pointer doubling: further[v][j] is a vertex twice as far along the path from v
 * to j. After as many passes as n has bits, a path that has not come to j goes round a cycle. */
#include "language/kernel.h"

#define PATH_DOUBLE_ARGS(A, W)                                                                              \
  A(IN, u32, far, "n*n", link, "n") A(OUT, u32, further, "n*n", link, "n") A(COUNT, u32, going, "1")
ARGS(path_double, PATH_DOUBLE_ARGS)

ELEMENT_BODY(path_double) {
  (void)push;
  const u32 j = (u32)(i % a->n), at = a->far[i];
  const bool there = at == LS_NO_VERTEX || at == j;
  const u32 next = there ? at : a->far[(u64)at * a->n + j];
  a->further[i] = next;
  count->going += next != LS_NO_VERTEX && next != j;
}
