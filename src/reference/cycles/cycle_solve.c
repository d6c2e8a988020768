/* Code common to the cycle algorithms: conversion of weights to integers, components, the best cycle, the
 * result.
 */
#include "reference/cycles/cycle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "reference/cycles/cycle_solve.h"
#include "reference/reference.h"
#include "reference/weights.h"

void ls_cycle_free(ls_cycle *c) {
  ls_free(c->edges);
  ls_free(c->start);
  c->edges = NULL;
  c->start = NULL;
}

/* --- weights and times ------------------------------------------------------------------------------- */

static f64 greatest_real(const edges *g) {
  f64 most = 0;
  for (u64 e = 0; e < g->m; e++) most = fmax(most, fabs(weight_f(g->w, g->wtype, e)));
  return most;
}

static int bits_of(u64 x) { return x ? 64 - __builtin_clzll(x) : 0; }

/* How many bits |w| may have so that 4 n^2 max|w| max t < 2^125. */
static int weight_bits(u32 n, i64 most_t) { return 122 - 2 * bits_of(n) - bits_of((u64)most_t); }

/* Converts real weights to multiples of a power of two, the unit. The unit is not below the smallest
 * positive double, of which all doubles are multiples. */
static void real_weights(const edges *g, int bits, bool negate, cycle_problem *p) {
  enum { LEAST = -1074 };
  int exponent;
  frexp(greatest_real(g), &exponent); /* all weights are below 2^exponent */
  exponent -= bits < 62 ? bits : 62;
  if (exponent < LEAST) exponent = LEAST;
  p->unit = ldexp(1, exponent);
  for (u64 e = 0; e < g->m; e++) {
    const i64 x = llrint(ldexp(weight_f(g->w, g->wtype, e), -exponent));
    p->w[e] = negate ? -x : x;
  }
}

static ls_status integer_weights(const edges *g, bool negate, cycle_problem *p) {
  for (u64 e = 0; e < g->m; e++) {
    const i64 x = weight_i(g->w, g->wtype, e);
    if (x == INT64_MIN)
      return ls_fail(LS_EOVERFLOW, "edge %llu has weight -2^63, expected at least -2^63 + 1",
                     (unsigned long long)e);
    p->w[e] = negate ? -x : x;
    if (x > p->c.most_w || -x > p->c.most_w) p->c.most_w = x < 0 ? -x : x;
  }
  return LS_OK;
}

static ls_status read_times(ls_graph *g, cycle_problem *p) {
  const void *t = ls_buffer_read(g->t);
  p->t = ls_malloc(g->m * sizeof *p->t);
  if (!t || !p->t) return LS_EMEM;
  p->c.t = p->t;
  p->c.most_t = 1;
  for (u64 e = 0; e < g->m; e++) {
    p->t[e] = weight_i(t, g->ttype, e);
    if (p->t[e] < 0)
      return ls_fail(LS_EARG, "edge %llu has time %lld: times are not negative", (unsigned long long)e,
                     (long long)p->t[e]);
    if (p->t[e] > p->c.most_t) p->c.most_t = p->t[e];
  }
  return LS_OK;
}

/* --- zero times -------------------------------------------------------------------------------------- */

static ls_status name_cycle(const ls_graph *g, const u32 *path, u64 from, u64 to) {
  char text[256], numbering[LS_NUMBERING_CHARS];
  size_t at = 0;
  for (u64 i = from; i < to && at < sizeof text - 32; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%u -> ", path[i]);
  snprintf(text + at, sizeof text - at, "%u", path[from]);
  return ls_fail(LS_EARG, "%s: the cycle %s%s takes no time, so its ratio is undefined%s", g->name, text,
                 to - from > 8 ? " (shortened)" : "", ls_graph_numbering(g, numbering));
}

/* Finds a cycle of edges that take no time, which has no ratio, by depth-first search. LS_EARG names it. */
static ls_status refuse_zero_cycles(const ls_graph *g, const cycle_graph *c) {
  if (!c->t) return LS_OK;
  u32 *path = ls_malloc((size_t)c->n * sizeof *path), *next = ls_malloc((size_t)c->n * sizeof *next);
  u8 *state = ls_calloc(c->n, 1); /* 1: on the path, 2: done */
  ls_status st = path && next && state ? LS_OK : LS_EMEM;
  for (u32 root = 0; root < c->n && !st; root++) {
    u64 depth = 0;
    if (!state[root]) path[depth++] = root, next[root] = c->off[root], state[root] = 1;
    while (depth && !st) {
      const u32 v = path[depth - 1];
      u32 e = next[v];
      while (e < c->off[v + 1] && (c->t[e] || state[c->to[e]] == 2)) e++;
      next[v] = e + 1;
      if (e >= c->off[v + 1]) {
        state[v] = 2;
        depth--;
      } else if (state[c->to[e]]) {
        u64 from = depth - 1;
        while (path[from] != c->to[e]) from--;
        st = name_cycle(g, path, from, depth);
      } else {
        const u32 child = c->to[e];
        path[depth++] = child, next[child] = c->off[child], state[child] = 1;
      }
    }
  }
  ls_free(path);
  ls_free(next);
  ls_free(state);
  return st;
}

ls_status ls_cycle_prepare(ls_graph *g, ls_cycle_kind kind, cycle_problem *out) {
  cycle_problem p = {.unit = 1};
  edges e;
  ls_status st = edges_of(g, &e);
  p.c = (cycle_graph){.n = e.n, .m = e.m, .off = e.off, .to = e.to, .most_t = 1};
  if (!st && !(p.w = ls_malloc(e.m * sizeof *p.w))) st = LS_EMEM;
  p.c.w = p.w;
  if (!st && kind.ratio && g->t) st = read_times(g, &p);
  const int bits = weight_bits(e.n, p.c.most_t);
  if (!st && ls_dtype_is_real(g->wtype)) {
    if (bits < 42)
      st = ls_fail(LS_EOVERFLOW,
                   "%s: the number of vertices and the times are so large that fewer than 42 bits are left "
                   "for real weights",
                   g->name);
    if (!st) real_weights(&e, bits, kind.max, &p);
    p.c.most_w = bits < 62 ? (i64)1 << (bits < 0 ? 0 : bits) : (i64)1 << 62;
  } else if (!st) {
    st = integer_weights(&e, kind.max, &p);
  }
  if (!st && bits_of((u64)p.c.most_w) > bits + 1)
    st = ls_fail(LS_EOVERFLOW,
                 "%s: with %u vertices, weights up to %lld and times up to %lld do not fit in 126 bits",
                 g->name, g->n, (long long)p.c.most_w, (long long)p.c.most_t);
  if (!st) st = refuse_zero_cycles(g, &p.c);
  if (st)
    ls_cycle_unprepare(&p);
  else
    *out = p;
  return st;
}

ls_status ls_check_times(ls_graph *g) {
  cycle_problem p;
  ls_status st = ls_cycle_prepare(g, (ls_cycle_kind){.ratio = true}, &p);
  if (!st) ls_cycle_unprepare(&p);
  return st;
}

void ls_cycle_unprepare(cycle_problem *p) {
  ls_free(p->w);
  ls_free(p->t);
  p->w = p->t = NULL;
}

/* --- the best cycle ---------------------------------------------------------------------------------- */

ls_status ls_cycle_offer(cycle_best *best, const cycle_graph *c, const u32 *list, u64 count) {
  ls_i128 p = 0, q = 0;
  for (u64 i = 0; i < count; i++) {
    p += c->w[list[i]];
    q += time_of(c, list[i]);
  }
  if (best->found && !ratio_less(p, q, best->p, best->q)) return LS_OK;
  if (count > best->room) {
    u32 *more = ls_realloc(best->edges, count * sizeof *more);
    if (!more) return LS_EMEM;
    best->edges = more;
    best->room = count;
  }
  for (u64 i = 0; i < count; i++) best->edges[i] = c->edge ? c->edge[list[i]] : list[i];
  best->found = true;
  best->p = p;
  best->q = q;
  best->count = count;
  return LS_OK;
}

ls_status ls_cycle_keep(cycle_best *best, const cycle_graph *c, const ls_i128 *d) {
  if (!best->overs || best->over[best->overs - 1] != best->q) {
    ls_i128 *more = ls_grown(best->over, best->overs, &best->overs_room, 8, sizeof *more);
    if (!more) return LS_EMEM;
    best->over = more;
    best->over[best->overs++] = best->q;
  }
  for (u32 v = 0; v < c->n; v++) {
    const u32 x = c->vertex ? c->vertex[v] : v;
    best->d[x] = d[v];
    best->which[x] = best->overs;
  }
  return LS_OK;
}

/* Converts the stored potentials to units of 1/q: exactly if q divides the q of their component (so that they
 * remain a proof), else rounded. Takes over best->d. */
static ls_i128 *common_start(u32 n, cycle_best *best, ls_i128 q, bool negate) {
  ls_i128 *d = best->d;
  best->d = NULL;
  for (u32 v = 0; v < n; v++) {
    const ls_i128 over = best->which[v] ? best->over[best->which[v] - 1] : 0;
    if (!over)
      d[v] = 0;
    else if (over % q == 0)
      d[v] /= over / q;
    else
      d[v] = (ls_i128)((f64)d[v] * ((f64)q / (f64)over));
    if (negate) d[v] = -d[v];
  }
  return d;
}

static ls_i128 gcd(ls_i128 a, ls_i128 b) {
  while (b) {
    const ls_i128 rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

ls_status ls_cycle_ratio(ls_graph *g, ls_cycle_kind kind, const u32 *list, u64 count, i64 *p, i64 *q) {
  edges e;
  ls_status st = edges_of(g, &e);
  const void *t = g->t && kind.ratio ? ls_buffer_read(g->t) : NULL;
  if (st || (g->t && kind.ratio && !t)) return LS_EMEM;
  if (ls_dtype_is_real(g->wtype))
    return ls_fail(LS_EARG,
                   "the exact ratio p/q of a cycle needs whole weights, but the graph has real ones");
  ls_i128 weight = 0, time = 0;
  for (u64 i = 0; i < count; i++) {
    if (list[i] >= e.m)
      return ls_fail(LS_EARG, "the cycle's edge %u is not below m = %llu", list[i], (unsigned long long)e.m);
    weight += weight_i(e.w, e.wtype, list[i]);
    time += weight_i(t, t ? g->ttype : LS_NONE, list[i]);
  }
  if (time <= 0) return ls_fail(LS_EARG, "%s: the cycle takes no time", g->name);
  const ls_i128 divisor = gcd(weight, time);
  *p = (i64)(weight / divisor);
  *q = (i64)(time / divisor);
  if (*p == weight / divisor && *q == time / divisor) return LS_OK;
  return ls_fail(LS_EOVERFLOW, "%s: the ratio %g of a cycle is a fraction whose parts do not fit in 64 bits",
                 g->name, (f64)weight / (f64)time);
}

/* With real weights, the mean is computed from the original weights of the cycle, not from the rounded ones.
 */
static f64 real_mean(ls_graph *g, const cycle_best *best) {
  const void *w = g->w->host;
  long double sum = 0;
  for (u64 i = 0; i < best->count; i++) sum += (long double)weight_f(w, g->wtype, best->edges[i]);
  return (f64)(sum / (long double)best->q);
}

static ls_status report(ls_graph *g, ls_cycle_kind kind, cycle_best *best, ls_cycle *out) {
  *out = (ls_cycle){.found = best->found, .iterations = best->iterations};
  if (!best->found) return LS_OK;
  if (ls_dtype_is_real(g->wtype)) {
    out->mean = real_mean(g, best);
    out->start = common_start(g->n, best, best->q, kind.max);
  } else {
    const ls_i128 divisor = gcd(best->p, best->q);
    const ls_i128 p = (kind.max ? -best->p : best->p) / divisor, q = best->q / divisor;
    out->p = (i64)p;
    out->q = (i64)q;
    out->mean = (f64)p / (f64)q;
    if (out->p != p || out->q != q)
      return ls_fail(LS_EOVERFLOW, "%s: the optimum %g is a fraction whose parts do not fit in 64 bits",
                     g->name, out->mean);
    out->start = common_start(g->n, best, q, kind.max);
  }
  out->count = best->count;
  out->edges = best->edges;
  best->edges = NULL;
  return LS_OK;
}

/* --- components -------------------------------------------------------------------------------------- */

typedef struct parts { /* the components, and arrays with room for the largest one */
  u32 count;
  u32 *id, *first, *order; /* the vertices of component k are order[first[k]] .. order[first[k + 1] - 1] */
  u32 *local;              /* the number of a vertex within its component */
  u32 *off, *to, *edge;
  i64 *w, *t;
} parts;

static void free_parts(parts *p) {
  void *all[] = {p->id, p->first, p->order, p->local, p->off, p->to, p->edge, p->w, p->t};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
}

static ls_status find_parts(ls_graph *g, parts *p) {
  const size_t n = g->n;
  p->id = ls_malloc(n * sizeof *p->id);
  ls_status st = p->id ? ls_tarjan(g, p->id, &p->count) : LS_EMEM;
  if (st || p->count <= 1) return st;
  p->first = ls_calloc((size_t)p->count + 1, sizeof *p->first);
  p->order = ls_malloc(n * sizeof *p->order);
  p->local = ls_malloc(n * sizeof *p->local);
  if (!p->first || !p->order || !p->local) return LS_EMEM;
  for (u32 v = 0; v < n; v++) p->local[v] = p->first[p->id[v] + 1]++;
  for (u32 k = 0; k < p->count; k++) p->first[k + 1] += p->first[k];
  for (u32 v = 0; v < n; v++) p->order[p->first[p->id[v]] + p->local[v]] = v;
  return LS_OK;
}

static u64 inner_edges(const cycle_graph *c, const parts *p, u32 k) {
  u64 m = 0;
  for (u32 i = p->first[k]; i < p->first[k + 1]; i++)
    for (u64 e = c->off[p->order[i]]; e < c->off[p->order[i] + 1]; e++) m += p->id[c->to[e]] == k;
  return m;
}

static ls_status room_for_parts(const cycle_graph *c, parts *p) {
  u64 most_n = 0, most_m = 0;
  for (u32 k = 0; k < p->count; k++) {
    const u64 n = p->first[k + 1] - p->first[k], m = n > 1 ? inner_edges(c, p, k) : 0;
    if (n > most_n) most_n = n;
    if (m > most_m) most_m = m;
  }
  p->off = ls_malloc((most_n + 1) * sizeof *p->off);
  p->to = ls_malloc(most_m * sizeof *p->to);
  p->edge = ls_malloc(most_m * sizeof *p->edge);
  p->w = ls_malloc(most_m * sizeof *p->w);
  p->t = c->t ? ls_malloc(most_m * sizeof *p->t) : NULL;
  return p->off && p->to && p->edge && p->w && (p->t || !c->t) ? LS_OK : LS_EMEM;
}

static cycle_graph extract(const cycle_graph *c, const parts *p, u32 k) {
  u32 n = p->first[k + 1] - p->first[k], m = 0;
  for (u32 i = 0; i < n; i++) {
    const u32 v = p->order[p->first[k] + i];
    p->off[i] = m;
    for (u32 e = c->off[v]; e < c->off[v + 1]; e++) {
      if (p->id[c->to[e]] != k) continue;
      p->to[m] = p->local[c->to[e]];
      p->edge[m] = e;
      p->w[m] = c->w[e];
      if (p->t) p->t[m] = c->t[e];
      m++;
    }
  }
  p->off[n] = m;
  return (cycle_graph){n,       m,         p->off,   p->to, p->w, p->t, p->order + p->first[k],
                       p->edge, c->most_w, c->most_t};
}

/* Is it certain that no cycle of the component is better than the best so far? No cycle is better than its
 * best edge, unless an edge takes no time. */
static bool hopeless(const cycle_graph *c, const cycle_best *best) {
  if (!best->found) return false;
  for (u64 e = 0; e < c->m; e++)
    if (time_of(c, e) == 0 || ratio_less(c->w[e], time_of(c, e), best->p, best->q)) return false;
  return true;
}

static ls_status offer_loops(const cycle_graph *c, cycle_best *best) {
  ls_status st = LS_OK;
  for (u32 v = 0; v < c->n && !st; v++)
    for (u32 e = c->off[v]; e < c->off[v + 1] && !st; e++)
      if (c->to[e] == v) st = ls_cycle_offer(best, c, &e, 1);
  return st;
}

static ls_status solve_parts(const cycle_graph *c, parts *p, cycle_solver solve, cycle_best *best) {
  ls_status st = room_for_parts(c, p);
  for (u32 k = 0; k < p->count && !st; k++) {
    if (p->first[k + 1] - p->first[k] < 2) continue;
    const cycle_graph part = extract(c, p, k);
    if (!hopeless(&part, best)) st = solve(&part, best);
    if (!st && (k & 1023) == 0 && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  return st;
}

ls_status ls_cycle_solve(ls_graph *g, ls_cycle_kind kind, cycle_solver solve, bool whole, ls_cycle *out) {
  cycle_problem p;
  parts k = {0};
  cycle_best best = {0};
  ls_status st = ls_cycle_prepare(g, kind, &p);
  if (st) return st;
  best.d = ls_malloc(p.c.n * sizeof *best.d);
  best.which = ls_calloc(p.c.n, sizeof *best.which);
  st = best.d && best.which ? offer_loops(&p.c, &best) : LS_EMEM;
  if (!st && !whole) st = find_parts(g, &k);
  if (!st && p.c.n > 1) {
    if (whole || k.count == 1)
      st = solve(&p.c, &best);
    else
      st = solve_parts(&p.c, &k, solve, &best);
  }
  if (!st) st = report(g, kind, &best, out);
  free_parts(&k);
  ls_cycle_unprepare(&p);
  void *all[] = {best.edges, best.d, best.which, best.over};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
  return st;
}
