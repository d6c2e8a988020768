#include "library.h"
#include "prims_list.h"
#include "scc.h"
#include "search_cpu.h"

typedef struct peel {
  const u32 *off, *to;
  u32 *mark, *comp;
  u32 *degree; /* edges from live vertices that are not peeled yet; of no use where v is not live */
  u32 peeled;
} peel;

LS_INLINE void settle(peel *a, u32 v) {
  a->comp[v] = v;
  poke(&a->mark[v], SETTLED);
  a->peeled++;
}

LS_INLINE void visit(void *with, finder *f, u32 v) {
  peel *a = with;
  for (u32 e = a->off[v], last = a->off[v + 1]; e < last; e++) {
    if (e + 16 < last) ASK_AHEAD(&a->degree[a->to[e + 16]]);
    const u32 t = a->to[e];
    if (t != v && atomic_add(&a->degree[t], -1u) == 1 && peek(&a->mark[t]) != SETTLED) found(f, t);
  }
  settle(a, v);
}

/* Counts the edges of v in their targets. Equal targets in a row are added at once: where many vertices point
 * at one, threads would queue for it. */
LS_INLINE void count_edges(const peel *a, u32 v, u32 m, u32 *target, u32 *equal) {
  for (u32 e = a->off[v], last = a->off[v + 1]; e < last; e++) {
    if (e + 16 < m) ASK_AHEAD(&a->degree[a->to[e + 16]]);
    const u32 t = a->to[e];
    if (t == v) continue;
    if (t != *target) {
      if (*equal) atomic_add(&a->degree[*target], *equal);
      *target = t;
      *equal = 0;
    }
    ++*equal;
  }
}

ls_status peel_cpu(ls_launch *L) {
  const peel all = {.off = L->bind.ptr[0],
                    .to = L->bind.ptr[1],
                    .mark = L->bind.ptr[2],
                    .comp = L->bind.ptr[3],
                    .degree = L->bind.ptr[4]};
  const u32 n = L->n, m = L->m;
  u32 *queue = L->bind.ptr[5], peeled = 0;
  const int team = L->serial || n < 1u << 14 ? 1 : L->threads;
  pool p = {.items = queue + 1, .threads = (u32)team};
  queue[0] = 0;
#pragma omp parallel num_threads(team) reduction(+ : peeled)
  {
    peel mine = all;
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++) mine.degree[v] = 0;
    u32 target = 0, equal = 0;
    /* large shares first: far apart, threads seldom count in the same cells */
#pragma omp for schedule(guided, 1024) nowait
    for (u32 v = 0; v < n; v++)
      if (mine.mark[v] != SETTLED) count_edges(&mine, v, m, &target, &equal);
    if (equal) atomic_add(&mine.degree[target], equal);
#pragma omp barrier
    ls_push push;
    push.queue = queue, push.width = 4, push.used = 0;
#pragma omp for schedule(static) nowait
    for (u32 v = 0; v < n; v++) {
      if (mine.mark[v] == SETTLED || mine.degree[v]) continue;
      if (mine.off[v] == mine.off[v + 1])
        settle(&mine, v);
      else
        ls_push_add(&push, v);
    }
    if (push.used) ls_push_flush(&push);
#pragma omp barrier
#pragma omp single
    p.waiting = queue[0];
    finder f;
    search(&f, &p, mine.off, mine.to, mine.degree, visit, &mine);
    peeled += mine.peeled;
  }
  L->counts[0] = peeled;
  return LS_OK;
}
