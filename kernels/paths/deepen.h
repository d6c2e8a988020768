/* Increments the depth of the search for the next layer. */
#include "paths/paths.h"

#define DEEPEN_ARGS(A, W) A(INOUT, u32, depth, "1")
ARGS(deepen, DEEPEN_ARGS)

VERTEX_BODY(deepen) {
  (void)push, (void)count, (void)v;
  ++*a->depth;
}
