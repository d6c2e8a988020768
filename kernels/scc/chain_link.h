/* The first step of trimming whole chains: links each vertex that has exactly one live predecessor to that predecessor. If a
 * chain begins at a vertex without live predecessors, none of its vertices is on a cycle, and all can be settled at once. */
#include "scc/scc.h"

#define CHAIN_LINK_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n")                                      \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, u32, mark, "n")              \
  A(OUT, u32, link, "n", link, "n") A(VALUE, u32, backward, "1")
ARGS(chain_link, CHAIN_LINK_ARGS)

VERTEX_BODY(chain_link) {
  (void)push;
  u32 mine = a->mark[v], only = v;
  if (mine == SETTLED) {
    a->link[v] = LS_NO_VERTEX;
    return;
  }
  LS_ARRAY(const u32) off = a->backward ? a->off : a->roff;
  LS_ARRAY(const u32) to = a->backward ? a->to : a->rto;
  const u32 first = off[v], last = off[v + 1];
  u32 e = first;
  for (; e < last; e++) {
    u32 u = to[e];
    if (u == v || u == only || !same_region(a->mark[u], mine)) continue;
    if (only != v) {
      only = LS_NO_VERTEX;
      break;
    }
    only = u;
  }
  LOOKED_AT(e - first + (e < last));
  a->link[v] = only;
}
