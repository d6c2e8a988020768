/* Weakly connected components by breadth-first searches that follow edges in both directions, and their
 * check. */
#include <stdlib.h>

#include "core/mem.h"
#include "reference/network.h"

ls_status ls_components(ls_graph *g, u32 *id, u32 *count) {
  *count = 0;
  ls_status st = ls_graph_transpose(g);
  if (st) return st;
  const u32 *off[] = {ls_buffer_read(g->off), ls_buffer_read(g->roff)};
  const u32 *to[] = {ls_buffer_read(g->to), ls_buffer_read(g->rto)};
  u32 *queue = ls_malloc(((size_t)g->n + 1) * sizeof *queue);
  if (!off[0] || !off[1] || !to[0] || !to[1] || !queue) {
    ls_free(queue);
    return LS_EMEM;
  }
  for (u32 v = 0; v < g->n; v++) id[v] = LS_NO_VERTEX;
  for (u32 first = 0; first < g->n; first++) {
    if (id[first] != LS_NO_VERTEX) continue;
    u32 head = 0, tail = 0;
    id[first] = first;
    queue[tail++] = first;
    ++*count;
    while (head < tail) {
      const u32 v = queue[head++];
      for (int way = 0; way < 2; way++)
        for (u32 e = off[way][v]; e < off[way][v + 1]; e++)
          if (id[to[way][e]] == LS_NO_VERTEX) {
            id[to[way][e]] = first;
            queue[tail++] = to[way][e];
          }
    }
  }
  ls_free(queue);
  return LS_OK;
}

/* Checks that the two ends of every edge have the same label. */
static ls_status check_edges(ls_graph *g, const u32 *id) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  if (!off || !to) return LS_EMEM;
  for (u32 v = 0; v < g->n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++)
      if (id[v] != id[to[e]])
        return ls_fail(LS_EARG, "components: the edge %u -> %u joins vertices of the labels %u and %u", v,
                       to[e], id[v], id[to[e]]);
  return LS_OK;
}

/* Once every edge is known to join equal labels, only one thing can be wrong: two components have the same
 * label.
 */
typedef struct labelled {
  u32 label, least;
} labelled;

static int compare(const void *a, const void *b) {
  const labelled *x = a, *y = b;
  if (x->label != y->label) return x->label < y->label ? -1 : 1;
  return x->least < y->least ? -1 : x->least > y->least;
}

static ls_status check_labels(u32 n, const u32 *id, const u32 *right, u32 count) {
  labelled *list = ls_malloc(((size_t)count + 1) * sizeof *list);
  if (!list) return LS_EMEM;
  u32 k = 0;
  for (u32 v = 0; v < n; v++)
    if (right[v] == v) list[k++] = (labelled){id[v], v};
  qsort(list, count, sizeof *list, compare);
  ls_status st = LS_OK;
  for (u32 i = 1; i < count && !st; i++)
    if (list[i].label == list[i - 1].label)
      st = ls_fail(LS_EARG, "components: %u and %u have the label %u, but no path joins them",
                   list[i - 1].least, list[i].least, list[i].label);
  ls_free(list);
  return st;
}

ls_status ls_check_components(ls_graph *g, const u32 *id, bool least, u32 *count) {
  ls_status st = check_edges(g, id);
  u32 *right = ls_malloc(((size_t)g->n + 1) * sizeof *right);
  if (!st && !right) st = LS_EMEM;
  if (!st) st = ls_components(g, right, count);
  if (!st) st = check_labels(g->n, id, right, *count);
  for (u32 v = 0; v < g->n && least && !st; v++)
    if (id[v] != right[v])
      st = ls_fail(LS_EARG,
                   "components: vertex %u has the label %u, but the least vertex of its component is %u", v,
                   id[v], right[v]);
  ls_free(right);
  return st;
}
