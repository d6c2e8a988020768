/* Sorts candidates by the rank that owns them, as records: the words of the candidate's state, then the candidate's
 * number among all candidates of the block. */
#include "dve/dve.h"

#define DVE_SEND_ARGS(A, W)                                                                                 \
  A(IN, u32, successors, "words*reach") A(IN, u32, place, "span") A(IN, u32, name, "room")                  \
  A(IN, u32, places, "stretch") A(VALUE, u32, first, "1", upto, "room")                                       \
  A(VALUE, u32, sources, "1", upto, "span") A(VALUE, u32, span, "1") A(VALUE, u32, words, "1")              \
  A(VALUE, u32, room, "1") A(VALUE, u32, reach, "1") A(VALUE, u32, ranks, "1") A(VALUE, u32, base, "1")     \
  A(VALUE, u32, stretch, "1") A(VALUE, u32, linked, "1", flag, "1") A(INOUT, u32, share, "ranks*span")        \
  A(INOUT, u32, sent, "words*reach+reach") A(INOUT, u32, went, "linked*reach")                              \
  A(COUNT, u32, sends, "1")
ARGS(dve_send, DVE_SEND_ARGS)

VERTEX_BODY(dve_send) {
  (void)push;
  if (v >= a->room - a->first || v + 1 >= a->span || a->ranks == 0) return;
  const u32 words = a->words, last = a->place[v + 1], number = a->name[a->first + v] - a->base;
  if (number >= a->stretch) return;
  u32 key = a->places[number], *mine = LS_POINTER(a->share) + v;
  for (u32 c = a->place[v]; c < last && c < a->reach; c++, key++) {
    const u32 *state = LS_POINTER(a->successors) + (u64)c * words;
    const u32 to = mine[(u64)dve_owner(state, words, a->ranks) * a->sources]++;
    if (to >= a->reach) continue;
    u32 *there = LS_POINTER(a->sent) + (u64)to * (words + 1);
    dve_copy(there, state, words);
    there[words] = key;
    if (a->linked) a->went[c] = to;
    count->sends++;
  }
}
