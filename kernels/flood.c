#include "library.h"
#include "prims_list.h"
#include "search_cpu.h"
#include "tree.h"

typedef struct flood {
  const u32 *off, *to;
  u32 *link;
  u32 reached, joined, again;
} flood;

LS_INLINE void visit(void *with, finder *f, u32 v) {
  flood *a = with;
  bool back = false;
  for (u32 e = a->off[v], last = a->off[v + 1]; e < last; e++) {
    if (e + 16 < last) ASK_AHEAD(&a->link[a->to[e + 16]]);
    const u32 t = a->to[e];
    const u32 there = peek(&a->link[t]);
    if (there == UNMET) {
      ASK_AHEAD(&a->off[t]); /* beside the claim, which waits for its cell */
      if (atomic_claim(&a->link[t], UNMET, v)) {
        a->reached++;
        found(f, t);
        continue;
      }
    }
    back |= is_joined(there);
    a->again += there != ELSEWHERE;
  }
  if (back) a->joined += climb(a->link, v);
}

ls_status flood_cpu(ls_launch *L) {
  const flood all = {.off = L->bind.ptr[0], .to = L->bind.ptr[1], .link = L->bind.ptr[4]};
  const u32 hub = gather_id((u32) * (const u64 *)L->bind.ptr[2]), *comp = L->bind.ptr[3], n = L->n;
  u32 *queue = L->bind.ptr[5], *front = L->bind.ptr[6], reached = 0, joined = 0, again = 0;
  front[0] = 0;
  if (hub >= n) return LS_OK; /* of no vertices */
  const int team = L->serial || (u64)n + L->m < 1u << 16 ? 1 : L->threads;
  pool p = {.items = queue, .waiting = 1, .threads = (u32)team};
  queue[0] = hub;
#pragma omp parallel num_threads(team) reduction(+ : reached, joined, again)
  {
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++) all.link[v] = v == hub ? JOINED | hub : comp[v] == LS_NO_VERTEX ? UNMET : ELSEWHERE;
    flood mine = all;
    finder f;
    search(&f, &p, mine.off, mine.to, mine.link, visit, &mine);
    reached += mine.reached;
    joined += mine.joined;
    again += mine.again;
  }
  L->counts[0] = 1 + reached;
  L->counts[1] = 1 + joined;
  L->counts[2] = again;
  return LS_OK;
}
