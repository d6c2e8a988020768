/* The critical subgraph, its canonical cycle, and the sensitivity of lambda to the weight of an edge, all
 * computed from potentials that prove lambda. */
#include "core/mem.h"
#include "reference/cycles/cycle_solve.h"
#include "reference/reference.h"
#include "reference/weights.h"

/* The data from which slacks are computed. The slack of an edge u -> v is its cost minus (d(v) - d(u)). An
 * edge of slack 0 is tight; if a slack is negative, the potentials prove nothing. */
typedef struct slacks {
  cycle_problem problem;
  const cycle_graph *c;
  ls_i128 p, q;
  const ls_i128 *d;
  bool max;
} slacks;

static ls_status slacks_of(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, slacks *s) {
  if (ls_dtype_is_real(g->wtype)) return ls_fail(LS_EARG, "critical edges are known only for whole weights");
  if (q <= 0) return ls_fail(LS_EARG, "p/q = %lld/%lld: q must be positive", (long long)p, (long long)q);
  ls_status st = ls_cycle_range(d, g->n);
  if (!st) st = ls_cycle_prepare(g, kind, &s->problem);
  if (st) return st;
  s->c = &s->problem.c;
  s->p = kind.max ? -(ls_i128)p : p;
  s->q = q;
  s->d = d;
  s->max = kind.max;
  if (ls_cycle_fits(s->c, p, q)) return LS_OK;
  ls_cycle_unprepare(&s->problem);
  return ls_fail(LS_EOVERFLOW, "%s: slacks at %lld/%lld may not fit in 122 bits", g->name, (long long)p,
                 (long long)q);
}

static ls_i128 slack_of(const slacks *s, u32 u, u64 e) {
  const ls_i128 fall = s->max ? s->d[s->c->to[e]] - s->d[u] : s->d[u] - s->d[s->c->to[e]];
  return fall + s->q * s->c->w[e] - s->p * time_of(s->c, e);
}

/* Finds the strongly connected components of the graph of tight edges. */
static ls_status tight_parts(ls_graph *g, const slacks *s, u32 *id) {
  const cycle_graph *c = s->c;
  u32 *off = ls_malloc(((size_t)c->n + 1) * sizeof *off), *to = ls_malloc(c->m * sizeof *to);
  u32 m = 0, count;
  ls_status st = off && to ? LS_OK : LS_EMEM;
  for (u32 u = 0; u < c->n && !st; u++) {
    off[u] = m;
    for (u32 e = c->off[u]; e < c->off[u + 1] && !st; e++) {
      const ls_i128 slack = slack_of(s, u, e);
      if (slack == 0) to[m++] = c->to[e];
      if (slack < 0)
        st = ls_fail(LS_EARG, "%s: edge %u -> %u: its slack is negative: the potentials are not feasible",
                     g->name, u, c->to[e]);
    }
  }
  if (st) {
    ls_free(off);
    ls_free(to);
    return st;
  }
  off[c->n] = m;
  ls_graph *tight;
  st = ls_graph_from_csr(c->n, m, off, to, NULL, LS_NONE, "tight edges", &tight);
  if (st) return st;
  st = ls_tarjan(tight, id, &count);
  ls_graph_release(tight);
  return st;
}

/* Finds the canonical cycle: from the smallest vertex with a critical edge, always follows the lowest
 * critical edge until a vertex repeats. */
static ls_status canonical(const cycle_graph *c, const u8 *critical, u32 *at, ls_cycle *out) {
  u32 v = 0, count = 0;
  u32 *path = ls_malloc((size_t)c->n * sizeof *path);
  if (!path) return LS_EMEM;
  u32 lowest = 0;
  while (!critical[lowest]) lowest++;
  while (c->off[v + 1] <= lowest) v++;
  for (u32 x = 0; x < c->n; x++) at[x] = LS_NO_VERTEX;
  while (at[v] == LS_NO_VERTEX) {
    u32 e = c->off[v];
    while (!critical[e]) e++;
    at[v] = count;
    path[count++] = e;
    v = c->to[e];
  }
  u32 first = at[v], length = count - first, smallest = first;
  for (u32 i = first; i < count; i++) /* the source of edge i is the target of edge i - 1 */
    if (c->to[path[i > first ? i - 1 : count - 1]] < c->to[path[smallest > first ? smallest - 1 : count - 1]])
      smallest = i;
  out->edges = ls_malloc((size_t)length * sizeof *out->edges);
  for (u32 i = 0; i < length && out->edges; i++)
    out->edges[i] = path[first + (smallest - first + i) % length];
  out->count = length;
  ls_free(path);
  return out->edges ? LS_OK : LS_EMEM;
}

ls_status ls_critical_subgraph(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, u8 *critical,
                               ls_cycle *out) {
  slacks s;
  ls_status st = slacks_of(g, kind, p, q, d, &s);
  if (st) return st;
  const cycle_graph *c = s.c;
  u8 *mine = critical ? NULL : ls_malloc(c->m);
  u8 *mask = critical ? critical : mine;
  u32 *id = ls_malloc((size_t)c->n * sizeof *id);
  bool any = false;
  *out = (ls_cycle){.found = true, .p = p, .q = q, .mean = (f64)p / (f64)q};
  st = mask && id ? tight_parts(g, &s, id) : LS_EMEM;
  for (u32 u = 0; u < c->n && !st; u++)
    for (u64 e = c->off[u]; e < c->off[u + 1]; e++) {
      mask[e] = id[u] == id[c->to[e]] && slack_of(&s, u, e) == 0;
      any |= mask[e];
    }
  if (!st && !any)
    st = ls_fail(LS_EARG, "%s: no cycle is tight at %lld/%lld", g->name, (long long)p, (long long)q);
  if (!st) st = canonical(c, mask, id, out);
  ls_free(mine);
  ls_free(id);
  ls_cycle_unprepare(&s.problem);
  return st;
}

ls_status ls_cycle_slack(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, ls_dtype type,
                         void *out) {
  slacks s;
  ls_status st = slacks_of(g, kind, p, q, d, &s);
  if (st) return st;
  for (u32 u = 0; u < g->n && !st; u++)
    for (u64 e = s.c->off[u]; e < s.c->off[u + 1]; e++) {
      const ls_i128 slack = slack_of(&s, u, e);
      if (type == LS_F64)
        ((f64 *)out)[e] = (f64)slack;
      else if (slack == (i64)slack)
        ((i64 *)out)[e] = (i64)slack;
      else
        st = ls_fail(LS_EOVERFLOW, "the slack of edge %llu does not fit in 64 bits", (unsigned long long)e);
    }
  ls_cycle_unprepare(&s.problem);
  return st;
}

ls_status ls_cycle_slack_real(ls_graph *g, ls_cycle_kind kind, f64 mean, const ls_i128 *d, f64 unit,
                              f64 *out) {
  edges a;
  ls_status st = edges_of(g, &a);
  const void *t = g->t && kind.ratio ? ls_buffer_read(g->t) : NULL;
  if (st || (g->t && kind.ratio && !t)) return LS_EMEM;
  if ((st = ls_cycle_range(d, a.n))) return st;
  for (u32 u = 0; u < a.n; u++)
    for (u64 e = a.off[u]; e < a.off[u + 1]; e++) {
      const f64 time = (f64)weight_i(t, t ? g->ttype : LS_NONE, e),
                slack = (f64)(d[u] - d[a.to[e]]) * unit + weight_f(a.w, a.wtype, e) - mean * time;
      out[e] = kind.max ? -slack : slack;
    }
  return LS_OK;
}

/* --- sensitivity ------------------------------------------------------------------------------------- */

typedef struct dijkstra { /* Dijkstra's algorithm with slacks as weights, which are not negative */
  const slacks *s;
  ls_i128 *dist;
  u32 *heap, *where; /* a binary heap: heap[where[v]] = v */
  u32 count;
} dijkstra;

static void place(dijkstra *k, u32 i, u32 v) {
  k->heap[i] = v;
  k->where[v] = i;
}

static void lower(dijkstra *k, u32 v, ls_i128 x) {
  if (k->where[v] == LS_NO_VERTEX)
    place(k, k->count++, v);
  else if (x >= k->dist[v])
    return;
  k->dist[v] = x;
  u32 i = k->where[v];
  while (i && k->dist[k->heap[(i - 1) / 2]] > x) {
    place(k, i, k->heap[(i - 1) / 2]);
    i = (i - 1) / 2;
  }
  place(k, i, v);
}

static u32 take(dijkstra *k) {
  const u32 least = k->heap[0], v = k->heap[--k->count];
  u32 i = 0;
  for (u32 child; (child = 2 * i + 1) < k->count; i = child) {
    if (child + 1 < k->count && k->dist[k->heap[child + 1]] < k->dist[k->heap[child]]) child++;
    if (k->dist[k->heap[child]] >= k->dist[v]) break;
    place(k, i, k->heap[child]);
  }
  if (k->count) place(k, i, v);
  return least;
}

/* Computes the least slack of a path from v to u; -1 if there is none. A vertex x removed from the heap keeps
 * its old where[x], which is harmless: since no slack is negative, its distance is never lowered again. */
static ls_status way_back(const slacks *s, u32 v, u32 u, ls_i128 *out) {
  const size_t n = s->c->n;
  dijkstra k = {s, ls_malloc(n * sizeof *k.dist), ls_malloc(n * sizeof *k.heap),
                ls_malloc(n * sizeof *k.where), 0};
  ls_status st = k.dist && k.heap && k.where ? LS_OK : LS_EMEM;
  *out = -1;
  if (!st) {
    for (u32 x = 0; x < n; x++) k.where[x] = LS_NO_VERTEX;
    lower(&k, v, 0);
    while (k.count && !st) {
      const u32 x = take(&k);
      if (x == u) {
        *out = k.dist[x];
        break;
      }
      for (u64 e = s->c->off[x]; e < s->c->off[x + 1] && !st; e++) {
        const ls_i128 slack = slack_of(s, x, e);
        if (slack < 0)
          st = ls_fail(LS_EARG, "edge %u -> %u: its slack is negative: the potentials are not feasible", x,
                       s->c->to[e]);
        else
          lower(&k, s->c->to[e], k.dist[x] + slack);
      }
    }
  }
  ls_free(k.dist);
  ls_free(k.heap);
  ls_free(k.where);
  return st;
}

/* Is there a critical cycle without edge `without`? Eliminates vertices that no critical edge enters. */
static ls_status others(const cycle_graph *c, const u8 *critical, u64 without, bool *out) {
  u32 *entering = ls_calloc(c->n, sizeof *entering), *ready = ls_malloc((size_t)c->n * sizeof *ready),
      count = 0;
  ls_status st = entering && ready ? LS_OK : LS_EMEM;
  if (!st) {
    for (u64 e = 0; e < c->m; e++) entering[c->to[e]] += critical[e] && e != without;
    for (u32 v = 0; v < c->n; v++)
      if (!entering[v]) ready[count++] = v;
    for (u32 i = 0; i < count; i++)
      for (u64 e = c->off[ready[i]]; e < c->off[ready[i] + 1]; e++)
        if (critical[e] && e != without && --entering[c->to[e]] == 0) ready[count++] = c->to[e];
    *out = count < c->n;
  }
  ls_free(entering);
  ls_free(ready);
  return st;
}

ls_status ls_cycle_sensitivity(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d,
                               const u8 *critical, u64 e, ls_i128 *fall, ls_i128 *rise) {
  slacks s;
  if (e >= g->m) return ls_fail(LS_EARG, "edge %llu is not below m", (unsigned long long)e);
  ls_status st = slacks_of(g, kind, p, q, d, &s);
  if (st) return st;
  const cycle_graph *c = s.c;
  u32 u = 0, end = c->n;
  while (end - u > 1) *(c->off[u + (end - u) / 2] <= e ? &u : &end) = u + (end - u) / 2;
  ls_i128 better = 0, worse = -1; /* how far the weight can improve and worsen; -1: without limit */
  if (critical[e]) {
    bool other;
    st = others(c, critical, e, &other);
    if (!st && !other) worse = 0;
  } else {
    st = way_back(&s, c->to[e], u, &better);
    if (!st && better >= 0) better += slack_of(&s, u, e);
  }
  *fall = kind.max ? worse : better;
  *rise = kind.max ? better : worse;
  ls_cycle_unprepare(&s.problem);
  return st;
}
