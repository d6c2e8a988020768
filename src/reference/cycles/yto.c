/* Young, Tarjan and Orlin 1991: maintains the shortest-path tree while lambda increases.
 *
 * An extra root has an edge of weight 0 and time 0 to every vertex. At lambda the tree path to v costs W(v) -
 * lambda L(v). The key of an edge u -> v outside the tree is the lambda at which it gives v a path as short
 * as the current one: (W(u) + w - W(v)) / (L(u) + t - L(v)) if the divisor is positive, else never. A heap
 * holds all vertices; the key of a vertex is the least key of its in-edges. The least key of all is the next
 * lambda: if u is below v, the edge closes a cycle of cost 0, and lambda is optimal; else v moves below u,
 * and the keys on the border of its subtree change.
 *
 * Strongly connected components are not needed. Keys are compared exactly, in integers of 64 bits if n max|w|
 * and n max t fit 62 bits, else of 128. Edges that take no time cost the same at every lambda, so the
 * initial tree has the shortest paths over them. */
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/csr.h"
#include "reference/cycles/cycle_solve.h"

#define NONE LS_NO_VERTEX

/* In-edges, sorted by target. */
typedef struct in_edges {
  u32 *off, *from;
  i64 *w, *t; /* in the order of `from`; t is NULL if every edge takes 1 */
} in_edges;

static ls_status turn(const cycle_graph *c, const i64 *values, u32 **off, u32 **from, i64 **out) {
  ls_edge_run run = {.count = c->m, .key = c->to, .w = values};
  void *w;
  ls_status st = ls_csr_sort(c->n, &run, 1, c->off, sizeof *values, off, from, &w);
  if (!st) *out = w;
  return st;
}

static ls_status make_in_edges(const cycle_graph *c, in_edges *in) {
  ls_status st = turn(c, c->w, &in->off, &in->from, &in->w);
  if (st || !c->t) return st;
  u32 *off, *from;
  st = turn(c, c->t, &off, &from, &in->t);
  if (st) return st;
  ls_free(off);
  ls_free(from);
  return LS_OK;
}

/* Returns an edge u -> v of this weight and time; one exists. */
static u32 edge_like(const cycle_graph *c, u32 u, u32 v, i64 w, i64 t) {
  u32 e = c->off[u];
  while (c->to[e] != v || c->w[e] != w || time_of(c, e) != t) e++;
  return e;
}

#define NUM i64
#define WIDE ls_i128
#define NAME(x) x##_64
#include "reference/cycles/yto_body.h"
#undef NUM
#undef WIDE
#undef NAME
#define NUM ls_i128
#define WIDE ls_i128
#define NAME(x) x##_128
#include "reference/cycles/yto_body.h"

static ls_status solve(const cycle_graph *c, cycle_best *best) {
  in_edges in = {0};
  ls_status st = make_in_edges(c, &in);
  if (!st) {
    const ls_i128 most = (ls_i128)1 << 61, n = (ls_i128)c->n + 1;
    const bool narrow = n * c->most_w < most && n * c->most_t < most;
    st = narrow ? solve_64(c, &in, best) : solve_128(c, &in, best);
  }
  ls_free(in.off);
  ls_free(in.from);
  ls_free(in.w);
  ls_free(in.t);
  return st;
}

ls_status ls_yto(ls_graph *g, ls_cycle_kind kind, ls_cycle *out) {
  return ls_cycle_solve(g, kind, solve, true, out);
}
