/* Two vertices are a component if each is the only live predecessor of the other (or each the only live successor) in
 * their region. Slota, Rajamanickam, Madduri 2014, Trim2. The thread of the smaller vertex settles both. */
#include "scc/scc.h"

#define TRIM_PAIR_ARGS(A, W)                                                                                \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                      \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n")                                    \
  A(INOUT, u32, mark, "n", mark, "n") A(INOUT, u32, comp, "n") A(COUNT, u32, trimmed, "1")
ARGS(trim_pair, TRIM_PAIR_ARGS)

/* The only live neighbour of v in its region; v itself if there is none or more than one. */
LS_INLINE u32 LS_JOIN(trim_pair_only, W)(LS_ARRAY(const u32) off, LS_ARRAY(const u32) to, LS_ARRAY(const u32) mark, u32 v, u32 mine) {
  u32 only = v;
  for (u32 e = off[v]; e < off[v + 1]; e++) {
    u32 t = to[e];
    if (t == v || t == only || !same_region(load_relaxed(&mark[t]), mine)) continue;
    if (only != v) return v;
    only = t;
  }
  return only;
}

VERTEX_BODY(trim_pair) {
  (void)push;
  u32 mine = load_relaxed(&a->mark[v]);
  if (mine == SETTLED) return;
  for (u32 side = 0; side < 2; side++) {
    LS_ARRAY(const u32) off = side ? a->roff : a->off;
    LS_ARRAY(const u32) to = side ? a->rto : a->to;
    u32 u = LS_JOIN(trim_pair_only, W)(off, to, a->mark, v, mine);
    if (u <= v || LS_JOIN(trim_pair_only, W)(off, to, a->mark, u, mine) != v) continue;
    a->comp[v] = a->comp[u] = u;
    store_relaxed(&a->mark[v], SETTLED);
    store_relaxed(&a->mark[u], SETTLED);
    count->trimmed += 2;
    return;
  }
}
