/* What has come from all ranks, in the order of the candidates' numbers. */
#include "dve/dve.h"

#define DVE_ARRANGE_ARGS(A, W)                                                                              \
  A(IN, u32, come, "words*reach+reach") A(IN, u32, bits, "pieces") A(IN, u32, before, "pieces") A(VALUE, u32, words, "1") A(VALUE, u32, reach, "1")                          \
  A(VALUE, u32, reached, "1", upto, "reach") A(VALUE, u32, pieces, "1") A(VALUE, u32, linked, "1", flag, "1") \
  A(INOUT, u32, successors, "words*reach") A(INOUT, u32, key, "reach") A(INOUT, u32, came, "linked*reach")
ARGS(dve_arrange, DVE_ARRANGE_ARGS)

EDGE_BODY(dve_arrange) {
  UNUSED_BODY;
  const u32 words = a->words, *there = LS_POINTER(a->come) + (u64)e * (words + 1), key = there[words];
  if (key / 32 >= a->pieces) return;
  const u32 to = dve_bits_before(LS_POINTER(a->bits), LS_POINTER(a->before), key);
  if (to >= a->reach) return;
  dve_copy(LS_POINTER(a->successors) + (u64)to * words, there, words);
  a->key[to] = key;
  if (a->linked) a->came[e] = to;
}
