/* Makes the successors of a block's states, the candidates, and the graph's row offsets. */
#include "dve/dve.h"

#define DVE_EXPAND_ARGS(A, W)                                                                               \
  A(IN, u32, program, "tables+16", dve_program, "1") A(IN, u32, states, "words*room")                        \
  A(IN, u32, place, "span") A(VALUE, u32, first, "1", upto, "room")                                         \
  A(VALUE, u32, sources, "1", upto, "span") A(VALUE, u32, words, "1") A(VALUE, u32, room, "1")              \
  A(VALUE, u32, reach, "1") A(VALUE, u32, priced, "1", flag, "1") A(VALUE, u32, timed, "1", flag, "1")      \
  A(VALUE, u32, edges, "1") A(VALUE, u32, rows, "1") A(INOUT, u32, successors, "words*reach")               \
  A(INOUT, u32, from, "reach") A(INOUT, i32, cost, "priced*reach") A(INOUT, i32, time, "timed*reach")       \
  A(INOUT, u32, off, "rows") A(INOUT, u32, fault, "1") A(COUNT, u32, made, "1") A(COUNT, u32, errors, "1")  \
  A(COUNT, u32, faults, "1")
ARGS(dve_expand, DVE_EXPAND_ARGS)

/* Stores candidate `at`: the state after the system's step and the property's transition `own` (DVE_NONE: none). */
LS_INLINE void dve_put(const dve_expand_args_none *a, dve_expand_counts_none *count, u32 number, u32 at, const u32 *old,
                       u32 *now, bool fine, u32 own, const dve_worth *worth) {
  const u32 words = a->words;
  if (fine && own != DVE_NONE) fine = dve_effects(LS_POINTER(a->program), own, old, now);
  count->made++;
  if (!fine) count->errors++;
  if (worth->wrong || worth->cost != (i32)worth->cost) {
    count->faults++;
    atomic_min(a->fault, number);
  }
  if (at >= a->reach) return;
  u32 *to = LS_POINTER(a->successors) + (u64)at * words;
  for (u32 i = 0; i < words; i++) to[i] = fine ? now[i] : 0xffffffffu;
  a->from[at] = number;
  if (a->priced) a->cost[at] = (i32)worth->cost;
  if (a->timed) a->time[at] = worth->time;
}

VERTEX_BODY(dve_expand) {
  const u32 *p = LS_POINTER(a->program), words = a->words, number = a->first + v, property = p[DVE_HEAD_PROPERTY];
  u32 old[DVE_LOCAL], now[DVE_LOCAL];
  (void)push;
  if (v >= a->room - a->first || words > DVE_LOCAL || words != p[DVE_HEAD_WORDS]) return;
  dve_copy(old, LS_POINTER(a->states) + (u64)number * words, words);
  u32 at = a->place[v], first_own = 0, last_own = 0, choice = 0;
  if (number < a->rows) a->off[number] = a->edges + at;
  if (dve_all_ones(old, words)) return;
  if (property != DVE_NONE) dve_list(p, property, old, &first_own, &last_own);
  const bool synchronous = p[DVE_HEAD_SYNCHRONOUS];
  const u32 choices = synchronous ? dve_product(p, old) : 0;
  if (choices > DVE_MOST_STEPS) return;
  dve_walk w = dve_begin(p, old);
  for (bool moved = false, more = true; more; moved = true) {
    dve_chosen chosen = dve_choice(DVE_NONE, DVE_NONE, false);
    more = synchronous ? choice < choices : dve_next(p, old, &w, &chosen);
    if (!more && (moved || property == DVE_NONE)) return;
    u32 own = property == DVE_NONE ? DVE_NONE : first_own;
    bool own_fails = false;
    while (own == DVE_NONE || dve_next_own(p, old, last_own, &own, &own_fails)) {
      dve_worth worth = {0, more ? 0 : 1, false}; /* a step of only the property takes time 1 */
      dve_copy(now, old, words);
      const bool fine = synchronous && more ? dve_make_together(p, choice, old, now, &worth) : dve_make(p, chosen, old, now, &worth);
      dve_put(a, count, number, at++, old, now, fine && !own_fails, own, &worth);
      if (own++ == DVE_NONE) break;
    }
    choice++;
  }
}
