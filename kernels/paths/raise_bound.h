/* Starts the next bucket: it begins at the least far distance and is `delta` wide, so empty buckets are skipped. If
 * least[0] + delta overflows, or is rounded to least[0], all far vertices form one bucket. The sequence of bounds
 * depends on the order of the relaxations, but the distances do not; hence TIE for the bounds. */
#include "paths/paths.h"

#define RAISE_BOUND_ARGS(A, W)                                                                              \
  A(INOUT, W, floor, "1", TIE) A(INOUT, W, bound, "1", TIE) A(INOUT, W, least, "1") A(VALUE, W, delta, "1")           \
  A(VALUE, W, cutoff, "1") A(COUNT, u32, far, "1")
ARGS(raise_bound, RAISE_BOUND_ARGS)

VERTEX_BODY(raise_bound) {
  (void)push, (void)v;
  const W least = *a->least;
  if (least == NO_PATH || least > a->cutoff) return;
  u32 left = 0;
  const W high = ONWARD(least, a->delta, LS_ONE(left));
  *a->floor = *a->bound;
  *a->bound = !left && high > least ? high : NO_PATH;
  *a->least = NO_PATH;
  count->far = 1;
}
