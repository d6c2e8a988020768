/* Counts triangles by marking: for each vertex, marks its higher neighbours, then counts which of their
 * higher neighbours are marked. */
#include "core/mem.h"
#include "core/wait.h"
#include "reference/network.h"

typedef struct rows {
  u32 n;
  const u32 *off[2], *to[2]; /* both directions */
  u64 *begin;                /* [n+1]: where the higher neighbours of each vertex begin in `up` */
  u32 *up;                   /* the higher neighbours, each once per vertex */
  u32 *mark;                 /* [n]: 1 + the last vertex that marked it */
} rows;

/* Is t higher than v? Ordered by degree, including parallel edges and loops; then by vertex number. */
static bool above(const rows *r, u32 t, u32 v) {
  u64 degree[2] = {0};
  for (int way = 0; way < 2; way++) {
    degree[0] += r->off[way][t + 1] - r->off[way][t];
    degree[1] += r->off[way][v + 1] - r->off[way][v];
  }
  return degree[0] != degree[1] ? degree[0] > degree[1] : t > v;
}

static void list_rows(rows *r) {
  u64 at = 0;
  for (u32 v = 0; v < r->n; v++) {
    r->begin[v] = at;
    for (int way = 0; way < 2; way++)
      for (u32 e = r->off[way][v]; e < r->off[way][v + 1]; e++) {
        const u32 t = r->to[way][e];
        if (t == v || r->mark[t] == v + 1 || !above(r, t, v)) continue;
        r->mark[t] = v + 1;
        r->up[at++] = t;
      }
  }
  r->begin[r->n] = at;
}

static ls_status count(rows *r, i64 *at) {
  for (u32 v = 0; v < r->n; v++) at[v] = r->mark[v] = 0;
  for (u32 v = 0; v < r->n; v++) {
    if ((v & 1023) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
    for (u64 i = r->begin[v]; i < r->begin[v + 1]; i++) r->mark[r->up[i]] = v + 1;
    for (u64 i = r->begin[v]; i < r->begin[v + 1]; i++) {
      const u32 t = r->up[i];
      for (u64 k = r->begin[t]; k < r->begin[t + 1]; k++)
        if (r->mark[r->up[k]] == v + 1) at[v]++, at[t]++, at[r->up[k]]++;
    }
  }
  return LS_OK;
}

ls_status ls_triangles(ls_graph *g, i64 *at) {
  ls_status st = ls_graph_transpose(g);
  if (st) return st;
  rows r = {.n = g->n,
            .off = {ls_buffer_read(g->off), ls_buffer_read(g->roff)},
            .to = {ls_buffer_read(g->to), ls_buffer_read(g->rto)}};
  r.begin = ls_malloc(((size_t)g->n + 1) * sizeof *r.begin);
  r.up = ls_malloc((g->m + 1) * sizeof *r.up); /* each edge leads upward from at most one of its ends */
  r.mark = ls_calloc((size_t)g->n + 1, sizeof *r.mark);
  if (r.off[0] && r.off[1] && r.to[0] && r.to[1] && r.begin && r.up && r.mark) {
    list_rows(&r);
    st = count(&r, at);
  } else {
    st = LS_EMEM;
  }
  ls_free(r.begin);
  ls_free(r.up);
  ls_free(r.mark);
  return st;
}
