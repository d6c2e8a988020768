/* Merges the candidates received from all ranks into the order of their numbers. Those of each rank are sorted already; so a
 * candidate's place is its index among those of its rank plus, for each other rank, the number of candidates with a smaller
 * number, found by binary search. */
#include "dve/dve.h"

#define DVE_ARRANGE_ARGS(A, W)                                                                              \
  A(IN, u32, come, "words*reach+reach") A(IN, u64, starts, "ranks+1") A(VALUE, u32, words, "1")             \
  A(VALUE, u32, reach, "1") A(VALUE, u32, reached, "1", upto, "reach") A(VALUE, u32, ranks, "1")            \
  A(VALUE, u32, linked, "1", flag, "1") A(INOUT, u32, successors, "words*reach") A(INOUT, u32, key, "reach") \
  A(INOUT, u32, came, "linked*reach")
ARGS(dve_arrange, DVE_ARRANGE_ARGS)

EDGE_BODY(dve_arrange) {
  UNUSED_BODY;
  const u32 words = a->words, record = words + 1, *come = LS_POINTER(a->come), *mine = come + (u64)e * record;
  const u32 key = mine[words];
  u32 to = 0;
  for (u32 r = 0; r < a->ranks; r++) {
    const u64 first = a->starts[r] / record, past = a->starts[r + 1] / record;
    u64 low = first, high = past < a->reach ? past : a->reach;
    if (e >= first && e < past) low = high = e; /* the rank that sent the candidate */
    while (low < high) {
      const u64 middle = low + (high - low) / 2;
      if (come[middle * record + words] < key)
        low = middle + 1;
      else
        high = middle;
    }
    to += (u32)(low - first);
  }
  if (to >= a->reach) return;
  dve_copy(LS_POINTER(a->successors) + (u64)to * words, mine, words);
  a->key[to] = key;
  if (a->linked) a->came[e] = to;
}
