/* settle_joined on a CPU. */
#include "scc/tree.h"

CPU_LIBRARY(settle_joined) {
  const u32 hub = unscatter_id((u32)a->hub[0]), *link = a->link, n = a->n;
  if (hub >= n) return LS_OK; /* no hub, hence no search */
  const bool tree = a->tree != 0;
  u32 *comp = a->comp, settled = 0;
  const int team = L->serial || n < 1u << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team) schedule(static) reduction(+ : settled)
  for (u32 v = 0; v < n; v++) {
    if (!(tree ? was_reached(link[v]) : is_joined(link[v]))) continue;
    comp[v] = tree ? v : hub;
    settled++;
  }
  count->settled = settled;
  return LS_OK;
}
