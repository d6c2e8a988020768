/* Computes potentials for a whole graph at an exact ratio.
 *
 * Inside the components, a first guess is repaired by exact relaxation. Between components, shifting is
 * enough: if the inequalities hold inside a component, they still do when all its potentials are shifted by
 * the same amount. So, in topological order, each component is shifted down until the inequalities of the
 * edges into it hold, too. */
#include <math.h>
#include <stdio.h>

#include "core/mem.h"
#include "reference/cycles/cycle_solve.h"
#include "reference/reference.h"

static const ls_i128 LIMIT = (ls_i128)1 << 124;

bool ls_cycle_fits(const cycle_graph *c, ls_i128 p, ls_i128 q) {
  ls_i128 a, b, edge;
  if (__builtin_mul_overflow(q < 0 ? -q : q, (ls_i128)c->most_w, &a)) return false;
  if (__builtin_mul_overflow(p < 0 ? -p : p, (ls_i128)c->most_t, &b)) return false;
  return !__builtin_add_overflow(a, b, &edge) && edge <= LIMIT / 4 / ((ls_i128)c->n + 1);
}

ls_status ls_cycle_range(const ls_i128 *d, u32 n) {
  for (u32 v = 0; v < n; v++)
    if (d[v] >= LIMIT / 2 || d[v] <= -LIMIT / 2)
      return ls_fail(LS_EARG, "the potential of vertex %u is not below 2^123", v);
  return LS_OK;
}

/* Shifts the potentials of each component so that the greatest is 0. */
static ls_status level(u32 n, const u32 *id, u32 count, ls_i128 *d) {
  ls_i128 *top = ls_malloc((size_t)count * sizeof *top);
  if (!top) return LS_EMEM;
  for (u32 k = 0; k < count; k++) top[k] = -LIMIT;
  for (u32 v = 0; v < n; v++)
    if (d[v] > top[id[v]]) top[id[v]] = d[v];
  for (u32 v = 0; v < n; v++) d[v] -= top[id[v]];
  ls_free(top);
  return LS_OK;
}

/* Initialises d with the first guess, converted to a minimisation problem. */
static ls_status start_values(u32 n, const ls_i128 *start, bool max, ls_i128 *d) {
  ls_status st = start ? ls_cycle_range(start, n) : LS_OK;
  for (u32 v = 0; v < n && !st; v++) d[v] = !start ? 0 : max ? -start[v] : start[v];
  return st;
}

/* Shifts the components so that the inequalities of the edges between them hold. Components are numbered in
 * reverse topological order. */
static ls_status join(const cycle_graph *c, ls_i128 p, ls_i128 q, const u32 *id, u32 count, ls_i128 *d) {
  ls_i128 *shift = ls_calloc(count, sizeof *shift);
  u32 *first = ls_calloc((size_t)count + 1, sizeof *first), *order = ls_malloc((size_t)c->n * sizeof *order);
  ls_status st = shift && first && order ? LS_OK : LS_EMEM;
  if (!st) {
    for (u32 v = 0; v < c->n; v++) first[id[v] + 1]++;
    for (u32 k = 0; k < count; k++) first[k + 1] += first[k];
    for (u32 v = 0; v < c->n; v++)
      order[first[id[v]]++] = v; /* afterwards first[k] is the end of component k */
    for (u32 i = c->n; i-- > 0;) {
      const u32 u = order[i];
      for (u64 e = c->off[u]; e < c->off[u + 1]; e++) {
        const u32 v = c->to[e], k = id[v];
        if (k == id[u]) continue;
        const ls_i128 most = d[u] + shift[id[u]] + q * c->w[e] - p * time_of(c, e) - d[v];
        if (most < shift[k]) shift[k] = most;
      }
    }
    for (u32 v = 0; v < c->n; v++) d[v] += shift[id[v]];
  }
  ls_free(shift);
  ls_free(first);
  ls_free(order);
  return st;
}

static ls_status better_cycle(ls_graph *g, const cycle_graph *c, const u32 *edges, u64 count) {
  char text[256], numbering[LS_NUMBERING_CHARS];
  size_t at = 0;
  for (u64 i = 0; i < count && at < sizeof text - 64; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%u -> ", c->to[edges[i ? i - 1 : count - 1]]);
  snprintf(text + at, sizeof text - at, at < sizeof text - 64 ? "%u" : "...", c->to[edges[count - 1]]);
  return ls_fail(LS_EARG, "%s: there is a cycle with a better ratio than the given one: %s%s", g->name, text,
                 ls_graph_numbering(g, numbering));
}

static ls_status within(const ls_graph *g, const cycle_graph *c, ls_i128 p, ls_i128 q) {
  if (ls_cycle_fits(c, p, q)) return LS_OK;
  return ls_fail(LS_EOVERFLOW, "%s: potentials at the ratio %.17g/%.17g may not fit in 122 bits", g->name,
                 (f64)p, (f64)q);
}

/* Computes the weight p and the time q of a cycle; p/q is not reduced. */
static ls_status ratio_of(const ls_graph *g, const cycle_graph *c, const u32 *edges, u64 count, ls_i128 *p,
                          ls_i128 *q) {
  *p = *q = 0;
  for (u64 i = 0; i < count; i++) {
    if (edges[i] >= c->m)
      return ls_fail(LS_EARG, "the cycle's edge %u is not below m = %llu", edges[i],
                     (unsigned long long)c->m);
    *p += c->w[edges[i]];
    *q += time_of(c, edges[i]);
  }
  return *q > 0 ? within(g, c, *p, *q) : ls_fail(LS_EARG, "%s: the cycle takes no time", g->name);
}

/* Do the potentials d satisfy the inequalities of all edges already? The final values of policy iteration do
 * if the graph is strongly connected. */
static bool holds(const cycle_graph *c, ls_i128 p, ls_i128 q, const ls_i128 *d) {
  for (u32 u = 0; u < c->n; u++)
    for (u64 e = c->off[u]; e < c->off[u + 1]; e++)
      if (d[c->to[e]] > d[u] + q * c->w[e] - p * time_of(c, e)) return false;
  return true;
}

/* Lowers d until it satisfies the inequalities at the ratio p/q, first inside the components, then between
 * them. If there is a better cycle: continues with its ratio if `follow`, else returns LS_EARG. */
static ls_status feasible(ls_graph *g, const cycle_graph *c, ls_i128 *p, ls_i128 *q, bool follow,
                          ls_i128 *d) {
  if (holds(c, *p, *q, d)) return LS_OK;
  u32 *id = ls_malloc((size_t)c->n * sizeof *id), *edges = ls_malloc((size_t)c->n * sizeof *edges), parts;
  u64 count = 0;
  ls_status st = id && edges ? ls_tarjan(g, id, &parts) : LS_EMEM;
  if (!st) st = level(c->n, id, parts, d);
  if (!st) st = ls_cycle_spf(c, *p, *q, id, d, edges, &count);
  while (!st && count && follow) {
    st = ratio_of(g, c, edges, count, p, q);
    for (u32 v = 0; v < c->n; v++) d[v] = 0; /* the old potentials are in units of another 1/q */
    if (!st) st = ls_cycle_spf(c, *p, *q, id, d, edges, &count);
  }
  if (!st && count) st = better_cycle(g, c, edges, count);
  if (!st) st = join(c, *p, *q, id, parts, d);
  ls_free(id);
  ls_free(edges);
  return st;
}

ls_status ls_feasible_potentials(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *start,
                                 ls_i128 *d) {
  cycle_problem problem;
  if (ls_dtype_is_real(g->wtype))
    return ls_fail(LS_EARG, "exact potentials need whole weights, but the graph has real ones");
  if (q <= 0) return ls_fail(LS_EARG, "p/q = %lld/%lld: q must be positive", (long long)p, (long long)q);
  ls_status st = ls_cycle_prepare(g, kind, &problem);
  if (st) return st;
  const cycle_graph *c = &problem.c;
  st = within(g, c, p, q);
  if (!st) st = start_values(c->n, start, kind.max, d);
  ls_i128 wide_p = kind.max ? -(ls_i128)p : p, wide_q = q;
  if (!st) st = feasible(g, c, &wide_p, &wide_q, false, d);
  for (u32 v = 0; v < c->n && !st && kind.max; v++) d[v] = -d[v];
  ls_cycle_unprepare(&problem);
  return st;
}

ls_status ls_real_potentials(ls_graph *g, ls_cycle_kind kind, const ls_cycle *cycle, const ls_i128 *start,
                             ls_i128 *d, f64 *unit) {
  cycle_problem problem;
  ls_status st = ls_cycle_prepare(g, kind, &problem);
  if (st) return st;
  const cycle_graph *c = &problem.c;
  ls_i128 p, q;
  st = ratio_of(g, c, cycle->edges, cycle->count, &p, &q);
  if (!st) st = start_values(c->n, start, kind.max, d);
  if (!st) st = feasible(g, c, &p, &q, true, d);
  for (u32 v = 0; v < c->n && !st; v++) {
    d[v] = d[v] >= 0 ? (d[v] + q / 2) / q : -((-d[v] + q / 2) / q);
    if (kind.max) d[v] = -d[v];
  }
  *unit = problem.unit;
  ls_cycle_unprepare(&problem);
  return st;
}
