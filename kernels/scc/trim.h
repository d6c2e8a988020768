/* One trimming pass: a vertex without a live predecessor, or without a live successor, in its region is a component by
 * itself. Barnat et al. 2011, TRIM (after McLendon et al. 2005). Self loops do not count. */
#include "scc/scc.h"

#define TRIM_ARGS(A, W)                                                                                     \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                      \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n")                                    \
  A(INOUT, u32, mark, "n", mark, "n") A(INOUT, u32, comp, "n") A(COUNT, u32, trimmed, "1")
ARGS(trim, TRIM_ARGS)

/* Does v have a live neighbour in its own region? mine: the mark of v. */
LS_INLINE bool LS_JOIN(trim_has, W)(LS_ARRAY(const u32) off, LS_ARRAY(const u32) to, LS_ARRAY(const u32) mark, u32 v, u32 mine,
                                    LS_JOIN(trim_counts, W) *count) {
  const u32 first = off[v], last = off[v + 1];
  for (u32 e = first; e < last; e++)
    if (to[e] != v && same_region(load_relaxed(&mark[to[e]]), mine)) return LOOKED_AT(e + 1 - first), true;
  LOOKED_AT(last - first);
  return false;
}

VERTEX_BODY(trim) {
  (void)push;
  u32 mine = load_relaxed(&a->mark[v]);
  if (mine == SETTLED) return;
  if (LS_JOIN(trim_has, W)(a->off, a->to, a->mark, v, mine, count) &&
      LS_JOIN(trim_has, W)(a->roff, a->rto, a->mark, v, mine, count))
    return;
  a->comp[v] = v;
  store_relaxed(&a->mark[v], SETTLED);
  count->trimmed++;
}
