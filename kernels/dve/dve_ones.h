/* Counts the 1 bits of each word. */
#include "dve/dve.h"

#define DVE_ONES_ARGS(A, W) A(IN, u32, bits, "pieces") A(INOUT, u32, ones, "pieces")
ARGS(dve_ones, DVE_ONES_ARGS)

VERTEX_BODY(dve_ones) {
  UNUSED_BODY;
  a->ones[v] = BIT_COUNT(a->bits[v]);
}
