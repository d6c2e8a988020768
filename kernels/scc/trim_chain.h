/* The last step of trimming chains: a vertex whose link is a root is a component by itself. */
#include "scc/scc.h"

#define TRIM_CHAIN_ARGS(A, W)                                                                               \
  A(IN, u32, link, "n", link, "n") A(INOUT, u32, mark, "n", mark, "n") A(INOUT, u32, comp, "n")             \
  A(COUNT, u32, trimmed, "1")
ARGS(trim_chain, TRIM_CHAIN_ARGS)

VERTEX_BODY(trim_chain) {
  (void)push;
  u32 root = a->link[v];
  if (root == LS_NO_VERTEX || a->link[root] != root) return;
  a->comp[v] = v;
  a->mark[v] = SETTLED;
  count->trimmed++;
}
