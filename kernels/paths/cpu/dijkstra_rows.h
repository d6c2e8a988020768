/* dijkstra_rows on a CPU: each thread takes the next source until none is left, and has its own 4-ary heap. A vertex is settled
 * only once, so that a search ends even with negative weights. */
#include <omp.h>

#include "core/mem.h"
#include "core/wait.h"
#include "paths/paths.h"

#ifndef DIJKSTRA_ROWS
#define DIJKSTRA_ROWS
enum { CHILDREN = 4 };
#define UNSEEN 0xffffffffu /* place[v]: v has not been in the heap yet */
#define SETTLED_HERE 0xfffffffeu
#endif

#define HEAP LS_JOIN(dijkstra_heap, W)
#define ROWS_ARGS LS_JOIN(dijkstra_rows_args, W)

typedef struct HEAP {
  u32 *node, *place, used; /* node[place[v]] = v */
  W *dist;
} HEAP;

LS_INLINE void LS_JOIN(heap_put, W)(HEAP *h, u32 i, u32 v) { h->place[h->node[i] = v] = i; }

LS_INLINE void LS_JOIN(heap_up, W)(HEAP *h, u32 i, u32 v) {
  const W d = h->dist[v];
  while (i > 0 && d < h->dist[h->node[(i - 1) / CHILDREN]]) {
    LS_JOIN(heap_put, W)(h, i, h->node[(i - 1) / CHILDREN]);
    i = (i - 1) / CHILDREN;
  }
  LS_JOIN(heap_put, W)(h, i, v);
}

LS_INLINE u32 LS_JOIN(heap_pop, W)(HEAP *h) {
  const u32 top = h->node[0], v = h->node[--h->used];
  h->place[top] = SETTLED_HERE;
  if (!h->used) return top;
  const W d = h->dist[v];
  u64 i = 0;
  for (u64 first; (first = CHILDREN * i + 1) < h->used;) {
    u64 least = first;
    for (u64 c = first + 1; c < first + CHILDREN && c < h->used; c++)
      if (h->dist[h->node[c]] < h->dist[h->node[least]]) least = c;
    if (!(h->dist[h->node[least]] < d)) break;
    LS_JOIN(heap_put, W)(h, (u32)i, h->node[least]);
    i = least;
  }
  LS_JOIN(heap_put, W)(h, (u32)i, v);
  return top;
}

/* Computes the distances from s. Returns how many vertices were settled; adds their edges to *edges. */
static u32 LS_JOIN(dijkstra_row, W)(const ROWS_ARGS *a, HEAP *h, u32 s, u64 *edges) {
  u32 settled = 0;
  for (u32 v = 0; v < a->n; v++) h->dist[v] = NO_PATH, h->place[v] = UNSEEN;
  h->dist[s] = 0;
  h->used = 1;
  LS_JOIN(heap_put, W)(h, 0, s);
  while (h->used) {
    const u32 v = LS_JOIN(heap_pop, W)(h);
    const W mine = h->dist[v];
    settled++;
    *edges += a->off[v + 1] - a->off[v];
    for (u32 e = a->off[v]; e < a->off[v + 1]; e++) {
      const u32 t = a->to[e];
      const W reached = ONWARD(mine, a->w[e], a->overflow);
      if (h->place[t] == SETTLED_HERE || !(reached < h->dist[t])) continue;
      h->dist[t] = reached;
      LS_JOIN(heap_up, W)(h, h->place[t] == UNSEEN ? h->used++ : h->place[t], t);
    }
  }
  return settled;
}

CPU_LIBRARY(dijkstra_rows) {
  const int team = L->serial || L->items * ((u64)a->n + a->m) < 1u << 14 ? 1 : L->threads;
  u32 settled = 0, stop = 0;
  u64 edges = 0;
  bool failed = false;
#pragma omp parallel num_threads(team) if (team > 1) reduction(+ : settled, edges) reduction(|| : failed)
  {
    HEAP h = {ls_malloc((size_t)a->n * sizeof(u32)), ls_malloc((size_t)a->n * sizeof(u32)), 0, NULL};
    failed = !h.node || !h.place;
    if (failed) store_relaxed(&stop, 1u);
#pragma omp for schedule(dynamic)
    for (u64 i = 0; i < L->items; i++) {
      if (load_relaxed(&stop) || a->base + i >= a->rows) continue;
      h.dist = a->matrix + (a->base + i) * a->n;
      settled += LS_JOIN(dijkstra_row, W)(a, &h, a->source[i], &edges);
      if (omp_get_thread_num() == 0 && ls_interrupted()) store_relaxed(&stop, 1u);
    }
    ls_free(h.node);
    ls_free(h.place);
  }
  if (failed) return ls_fail(LS_EMEM, "dijkstra_rows: out of memory");
  if (stop) return ls_fail(LS_EINTERRUPTED, "dijkstra_rows: interrupted");
  count->settled = settled;
  COUNT_EDGES(edges);
  return LS_OK;
}

#undef HEAP
#undef ROWS_ARGS
