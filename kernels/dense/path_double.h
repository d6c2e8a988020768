/* Tests by pointer doubling whether the paths of a successor matrix end: further[v][j] is the vertex twice as far along the path
 * from v to j as far[v][j]. After as many passes as n has bits, a path that has not reached j runs in a cycle. */
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
