/* Counts the passes of prove_order. Their number depends on when threads see each other's writes. */
#include "scc/scc.h"

#define PROVE_DEEPER_ARGS(A, W) A(INOUT, u32, depth, "1", TIE)
ARGS(prove_deeper, PROVE_DEEPER_ARGS)

VERTEX_BODY(prove_deeper) {
  (void)push, (void)count, (void)v;
  ++*a->depth;
}
