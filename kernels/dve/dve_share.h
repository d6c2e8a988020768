/* Counts how many candidates of state v go to rank r: share[r * sources + v]. */
#include "dve/dve.h"

#define DVE_SHARE_ARGS(A, W)                                                                                \
  A(IN, u32, successors, "words*reach") A(IN, u32, place, "span") A(VALUE, u32, sources, "1", upto, "span") \
  A(VALUE, u32, span, "1") A(VALUE, u32, words, "1") A(VALUE, u32, reach, "1") A(VALUE, u32, ranks, "1")    \
  A(INOUT, u32, share, "ranks*span")
ARGS(dve_share, DVE_SHARE_ARGS)

VERTEX_BODY(dve_share) {
  UNUSED_BODY;
  const u32 words = a->words, ranks = a->ranks;
  u32 *mine = LS_POINTER(a->share) + v;
  for (u32 r = 0; r < ranks; r++) mine[(u64)r * a->sources] = 0;
  if (v + 1 >= a->span || ranks == 0) return;
  const u32 last = a->place[v + 1];
  for (u32 c = a->place[v]; c < last && c < a->reach; c++)
    mine[(u64)dve_owner(LS_POINTER(a->successors) + (u64)c * words, words, ranks) * a->sources]++;
}
