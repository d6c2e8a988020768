#include <string.h>

#include "core/mem.h"
#include "library.h"
#include "prims_list.h"

/* All that the search asks of a vertex, in one place. */
typedef struct vertex {
  u32 mark;       /* class; all ones once settled */
  u32 low;        /* the earliest vertex that v's part of the search leads back to, from 1; 0: not met */
  u32 edge, last; /* the edges not looked at yet */
} vertex;

ls_status tarjan_rest_cpu(ls_launch *L) {
  const u32 *off = L->bind.ptr[0], *to = L->bind.ptr[1];
  u32 *mark = L->bind.ptr[2], *comp = L->bind.ptr[3];
  u32 *path = L->bind.ptr[4]; /* the vertices being searched, */
  u32 *met = L->bind.ptr[5];  /* and when each was met */
  u32 *open = L->bind.ptr[6]; /* searched, but their component is not closed */
  const u32 settled = 0xffffffffu, n = L->n;
  u32 clock = 0, depth = 0, opened = 0;
  vertex *at = ls_malloc((size_t)n * sizeof *at);
  if (!at) return LS_EMEM;
  const int team = L->serial || n < 1u << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team)
  for (u32 v = 0; v < n; v++) at[v] = (vertex){mark[v], 0, off[v], off[v + 1]};
  for (u32 root = 0; root < n; root++) {
    if (at[root].mark == settled) continue;
    at[root].low = met[0] = ++clock;
    path[0] = root;
    depth = 1;
    while (depth) {
      vertex *v = &at[path[depth - 1]];
      u32 child = LS_NO_VERTEX;
      while (v->edge < v->last) { /* an edge to a child is looked at again when the child is done */
        const vertex *t = &at[to[v->edge]];
        if (t->mark == v->mark) {
          if (!t->low) {
            child = to[v->edge];
            break;
          }
          if (t->low < v->low) v->low = t->low;
        }
        v->edge++;
      }
      if (child != LS_NO_VERTEX) {
        for (u32 e = at[child].edge, soon = e + 4; e < soon && e < at[child].last; e++)
          __builtin_prefetch(&at[to[e]]);
        at[child].low = met[depth] = ++clock;
        path[depth++] = child;
        continue;
      }
      const u32 done = path[--depth];
      if (v->low != met[depth]) {
        open[opened++] = done;
        continue;
      }
      comp[done] = done;
      v->mark = settled;
      while (opened && at[open[opened - 1]].low >= v->low) {
        const u32 w = open[--opened];
        comp[w] = done;
        at[w].mark = settled;
      }
    }
  }
  memset(mark, 0xff, (size_t)n * sizeof *mark);
  ls_free(at);
  return LS_OK;
}
