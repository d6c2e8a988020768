/* Negates each element of a matrix, to convert from min-plus to max-plus or back: `none`, which means "no path" in x, becomes
 * `other`, which means "no path" in y. */
#include "dense/plain.h"

#define NEGATE_PATHS_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k") A(VALUE, W, none, "1") A(VALUE, W, other, "1")
ARGS(negate_paths, NEGATE_PATHS_ARGS)

ELEMENT_BODY(negate_paths) {
  UNUSED_BODY;
  const W x = a->x[i];
  const bool stays = (W)0.5 == 0 && x == PLAIN_LEAST; /* the least integer has no negative */
  a->y[i] = x == a->none ? a->other : stays ? x : (W)-x;
}
