/* The best of the candidates. */
#include "scc.h"

#define BEST_HUB_ARGS(A, W) A(IN, u64, hubs, "n") A(INOUT, u64, hub, "1")
ARGS(best_hub, BEST_HUB_ARGS)

VERTEX_BODY(best_hub) {
  (void)push, (void)count;
  if (a->hubs[v] > hint(a->hub)) atomic_max(a->hub, a->hubs[v]);
}
