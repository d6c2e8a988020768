/* join_back on a CPU. */
#include "scc/tree.h"

CPU_LIBRARY(join_back) {
  const u32 *off = a->off, *to = a->to, *front = a->front, m = a->m;
  const bool all = a->all != 0;
  const u32 items = all ? a->n : front[0];
  u32 *link = a->link, *left = a->front_next, joined = 0;
  u64 edges = 0;
  const int team = L->serial || items < 1u << 12 ? 1 : L->threads;
  left[0] = 0;
#pragma omp parallel num_threads(team) reduction(+ : joined, edges)
  {
    ls_push_u32 push = {.queue = left, .room = a->n};
#pragma omp for schedule(dynamic, 1024)
    for (u32 i = 0; i < items; i++) {
      /* from the end, so that each pass goes through the queue in the opposite order to the previous pass: joins then
       * spread in both directions */
      const u32 v = all ? i : front[items - i], mine = load_relaxed(&link[v]);
      if ((mine & LINK_JOINED) || mine == LINK_SETTLED) continue; /* LINK_UNREACHED has that bit too */
      bool back = false;
      u32 e = off[v];
      edges -= e;
      for (const u32 last = off[v + 1]; e < last && !back; e++) {
        if (e + 16 < m) PREFETCH(&link[to[e + 16]]);
        back = is_joined(load_relaxed(&link[to[e]]));
      }
      edges += e;
      if (back)
        joined += join_ancestors(link, v);
      else
        ls_push_add_u32(&push, v);
    }
    if (push.used) ls_push_flush_u32(&push);
  }
  count->joined = joined;
  count->left = left[0];
  COUNT_EDGES(edges);
  return LS_OK;
}
