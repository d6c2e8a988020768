/* Finds accepting cycles: an infinite run of the system is accepted by the property process if it visits an
 * accepting state infinitely often. Such a state is in a strongly connected component with an edge inside. */
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/space.h"
#include "reference/reference.h"

/* The first accepting state on a cycle. */
static u32 find_accepting(const ls_dve_space *s, const u32 *off, const u32 *to, const u32 *id) {
  for (u64 v = 0; v < s->n; v++) {
    if (!ls_dve_accepts(s->model, ls_dve_state(s, v))) continue;
    for (u32 e = off[v]; e < off[v + 1]; e++)
      if (id[to[e]] == id[v]) return (u32)v;
  }
  return LS_NO_VERTEX;
}

/* Finds a shortest cycle through v by breadth-first search in its component: writes its edges, the last one
 * first, and returns their number. by: the edge by which a vertex was found; LS_NO_VERTEX: not found yet. */
static u32 close_cycle(const u32 *off, const u32 *to, const u32 *id, u32 v, u32 *by, u32 *from, u32 *queue,
                       u32 *edges) {
  u32 head = 0, tail = 0, count = 0;
  queue[tail++] = v;
  while (head < tail) {
    const u32 u = queue[head++];
    for (u32 e = off[u]; e < off[u + 1]; e++) {
      if (to[e] == v) {
        edges[count++] = e;
        for (u32 at = u; at != v; at = from[at]) edges[count++] = by[at];
        return count;
      }
      if (id[to[e]] != id[v] || by[to[e]] != LS_NO_VERTEX) continue;
      by[to[e]] = e;
      from[to[e]] = u;
      queue[tail++] = to[e];
    }
  }
  return 0;
}

ls_status ls_dve_lasso(ls_dve_space *s, ls_graph *g, u32 *v, ls_buffer **cycle) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  u32 *id = ls_malloc(g->n * sizeof *id), *by = NULL, *from = NULL, *queue = NULL, *edges = NULL;
  u32 components, count = 0;
  ls_status st = off && to && id ? ls_tarjan(g, id, &components) : LS_EMEM;
  *v = LS_NO_VERTEX;
  *cycle = NULL;
  if (!st) *v = find_accepting(s, off, to, id);
  if (!st && *v != LS_NO_VERTEX) {
    by = ls_malloc(g->n * sizeof *by);
    from = ls_malloc(g->n * sizeof *from);
    queue = ls_malloc(g->n * sizeof *queue);
    edges = ls_malloc(g->n * sizeof *edges);
    if (!by || !from || !queue || !edges) st = LS_EMEM;
    if (!st) memset(by, 0xff, g->n * sizeof *by);
    if (!st) count = close_cycle(off, to, id, *v, by, from, queue, edges);
    if (!st) st = ls_buffer_new(LS_U32, count, 0, cycle);
    u32 *out = st ? NULL : ls_buffer_overwrite(*cycle);
    for (u32 i = 0; i < count && out; i++) out[i] = edges[count - 1 - i];
    if (!st && !out) {
      ls_buffer_release(*cycle);
      *cycle = NULL;
      st = LS_EMEM;
    }
  }
  ls_free(id);
  ls_free(by);
  ls_free(from);
  ls_free(queue);
  ls_free(edges);
  return st;
}
