#include "library.h"
#include "prims_list.h"
#include "search_cpu.h"
#include "tree.h"

typedef struct flood {
  const u32 *roff, *rto;
  u32 *link;
  u32 joined;
} flood;

LS_INLINE void visit(void *with, finder *f, u32 v) {
  flood *a = with;
  for (u32 e = a->roff[v], last = a->roff[v + 1]; e < last; e++) {
    if (e + 16 < last) ASK_AHEAD(&a->link[a->rto[e + 16]]);
    const u32 t = a->rto[e], there = peek(&a->link[t]);
    if ((there & JOINED) || there == ELSEWHERE || (atomic_or(&a->link[t], JOINED) & JOINED)) continue;
    a->joined++;
    found(f, t);
  }
}

ls_status flood_back_cpu(ls_launch *L) {
  const flood all = {.roff = L->bind.ptr[0], .rto = L->bind.ptr[1], .link = L->bind.ptr[2]};
  const u32 n = L->n;
  u32 *queue = L->bind.ptr[3], joined = 0;
  const int team = L->serial || n < 1u << 14 ? 1 : L->threads;
  pool p = {.items = queue + 1, .threads = (u32)team};
  queue[0] = 0;
#pragma omp parallel num_threads(team) reduction(+ : joined)
  {
    ls_push push;
    push.queue = queue, push.width = 4, push.used = 0;
#pragma omp for schedule(static) nowait
    for (u32 v = 0; v < n; v++)
      if (is_joined(all.link[v])) ls_push_add(&push, v);
    if (push.used) ls_push_flush(&push);
#pragma omp barrier
#pragma omp single
    p.waiting = queue[0];
    flood mine = all;
    finder f;
    search(&f, &p, mine.roff, mine.rto, mine.link, visit, &mine);
    joined += mine.joined;
  }
  L->counts[0] = joined;
  return LS_OK;
}
