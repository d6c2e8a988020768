/* Bellman-Ford-Moore with Tarjan's subtree disassembly, according to Cherkassky, Georgiadis, Goldberg, Tarjan
 * and Werneck 2010 the most robust test for a negative cycle.
 *
 * The tree of tentative parents is stored as a list in preorder. When v's value is lowered, the values of all
 * its descendants are out of date: they are removed from the tree and need not be scanned until they are
 * reached again. If the source of the edge that lowers v is among them, the tree path and the edge form a
 * negative cycle.
 */
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "reference/cycles/cycle_solve.h"

#define NONE LS_NO_VERTEX

typedef struct tree {
  u32 *next, *prev; /* the preorder as a circular list, which includes the root n */
  u32 *depth;       /* the depth of a vertex in the tree */
  u32 *parent;      /* the edge that last lowered the vertex; NONE: the vertex still has its start value */
  u32 *from;        /* the source of that edge */
  u8 *in;           /* is the vertex in the tree? */
} tree;

/* Removes v's descendants from the tree. Returns false if u is among them (the tree is then left
 * inconsistent). */
static bool cut_descendants(tree *k, u32 v, u32 u) {
  u32 x = k->next[v];
  const u32 depth = k->depth[v];
  while (k->in[x] && k->depth[x] > depth) {
    if (x == u) return false;
    k->in[x] = 0;
    x = k->next[x];
  }
  k->next[v] = x;
  k->prev[x] = v;
  return true;
}

static void unlink_leaf(tree *k, u32 v) {
  k->next[k->prev[v]] = k->next[v];
  k->prev[k->next[v]] = k->prev[v];
}

static void link_below(tree *k, u32 v, u32 u) {
  const u32 after = k->next[u];
  k->next[u] = v;
  k->prev[v] = u;
  k->next[v] = after;
  k->prev[after] = v;
  k->depth[v] = k->depth[u] + 1;
  k->in[v] = 1;
}

/* Lists the cycle that edge e from u to v closes: the tree path from v down to u, then e. Returns its length.
 */
static u64 cycle_of(const tree *k, u32 v, u32 u, u32 e, u32 *edges) {
  u64 count = 0;
  edges[count++] = e;
  for (u32 x = u; x != v; x = k->from[x]) edges[count++] = k->parent[x];
  reverse_edges(edges, count);
  return count;
}

static ls_status relax_all(const cycle_graph *c, ls_i128 p, ls_i128 q, const u32 *part, ls_i128 *d, tree *k,
                           u32 *queue, u8 *queued, u32 *edges, u64 *count) {
  u64 head = 0, waiting = 0, scans = 0;
  for (u32 v = 0; v < c->n; v++) { /* queue the vertices that lower a neighbour at the start */
    for (u64 e = c->off[v]; e < c->off[v + 1] && !queued[v]; e++)
      if ((!part || part[v] == part[c->to[e]]) && d[v] + q * c->w[e] - p * time_of(c, e) < d[c->to[e]]) {
        queued[v] = 1;
        queue[waiting++] = v;
      }
  }
  while (waiting) {
    const u32 u = queue[head];
    head = head + 1 < c->n ? head + 1 : 0;
    waiting--;
    queued[u] = 0;
    if (!k->in[u]) continue; /* removed from the tree meanwhile: it will be queued again with a lower value */
    if ((++scans & 0xffff) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
    for (u64 e = c->off[u]; e < c->off[u + 1]; e++) {
      const u32 v = c->to[e];
      if (part && part[u] != part[v]) continue;
      const ls_i128 there = d[u] + q * c->w[e] - p * time_of(c, e);
      if (there >= d[v]) continue;
      if (v == u || (k->in[v] && !cut_descendants(k, v, u))) {
        *count = cycle_of(k, v, u, (u32)e, edges);
        return LS_OK;
      }
      if (k->in[v]) unlink_leaf(k, v);
      d[v] = there;
      k->parent[v] = (u32)e;
      k->from[v] = u;
      link_below(k, v, u);
      if (!queued[v]) {
        queued[v] = 1;
        queue[(head + waiting++) % c->n] = v;
      }
    }
  }
  return LS_OK;
}

ls_status ls_cycle_spf(const cycle_graph *c, ls_i128 p, ls_i128 q, const u32 *part, ls_i128 *d, u32 *edges,
                       u64 *count) {
  *count = 0;
  const size_t n = c->n, room = n + 1;
  u32 *block = ls_malloc((5 * room + n) * sizeof *block);
  u8 *flags = ls_calloc(2 * room, 1);
  ls_status st = block && flags ? LS_OK : LS_EMEM;
  if (!st && n) {
    tree k = {block, block + room, block + 2 * room, block + 3 * room, block + 4 * room, flags};
    for (u32 v = 0; v <= n; v++) { /* all vertices are children of the root n, which is never `in` */
      k.next[v] = v < n ? v + 1 : 0;
      k.prev[v] = v ? v - 1 : (u32)n;
      k.depth[v] = v < n;
      k.in[v] = v < n;
      k.parent[v] = k.from[v] = NONE;
    }
    st = relax_all(c, p, q, part, d, &k, block + 5 * room, flags + room, edges, count);
  }
  ls_free(block);
  ls_free(flags);
  return st;
}

ls_status ls_cycle_settle(const cycle_graph *c, cycle_best *best) {
  const size_t n = c->n;
  ls_i128 *d = ls_malloc(n * sizeof *d);
  u32 *edges = ls_malloc(n * sizeof *edges);
  ls_status st = d && edges ? LS_OK : LS_EMEM;
  for (u64 count = 1; !st && count;) {
    memset(d, 0, n * sizeof *d);
    st = ls_cycle_spf(c, best->p, best->q, NULL, d, edges, &count);
    if (!st && count) st = ls_cycle_offer(best, c, edges, count);
  }
  if (!st) st = ls_cycle_keep(best, c, d);
  ls_free(d);
  ls_free(edges);
  return st;
}
