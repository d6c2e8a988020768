/* Checks shortest distances by a breadth-first search from the source over tight edges, those with dist[u] +
 * w = dist[v], which checks the triangle inequality on every edge that it passes. The inequality shows that
 * no distance is too large; a tight path shows that the distance at its end is not too small. Following paths
 * from the source also handles cycles of weight 0, which a test of only the last edge of each vertex would
 * not. O(n + m). With several sources, a source whose distance is below 0 is reached from another source:
 * like any other vertex, it needs a tight path from a source at distance 0, and a parent.
 *
 * Integers are compared exactly. Reals are summed in f64, and an edge u -> v may have an error of 8 epsilon
 * (|dist[u]| + |w|), where epsilon is the machine epsilon of the distances' type; the caller may give a
 * tolerance that replaces 8 epsilon. As this tolerance may hide a negative cycle, negative cycles are
 * searched for exactly. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "data/reduce.h"
#include "reference/reference.h"
#include "reference/row_check.h"

ls_status ls_row_begin(ls_graph *g, bool unit, ls_dtype type, f64 tol, ls_row_check *c) {
  *c = (ls_row_check){.type = type, .tol = tol};
  ls_status st = edges_of(g, &c->g);
  if (st) return st;
  if (unit) c->g.wtype = LS_NONE;
  if (ls_dtype_is_real(c->g.wtype) && !ls_dtype_is_real(type))
    return ls_fail(LS_EARG, "distances: the weights are %s, the distances %s", ls_dtype_name(g->wtype),
                   ls_dtype_name(type));
  for (u64 e = 0; ls_dtype_is_real(type) && e < g->m; e++)
    c->heaviest = fmax(c->heaviest, fabs(weight_f(c->g.w, c->g.wtype, e)));
  c->queue = ls_malloc((size_t)g->n * sizeof *c->queue);
  c->seen = ls_malloc(g->n);
  return c->queue && c->seen ? LS_OK : LS_EMEM;
}

void ls_row_end(ls_row_check *c) {
  ls_free(c->queue);
  ls_free(c->seen);
}

/* A distance of any integer type, exactly; *far: is it the value for unreachable? */
static inline __attribute__((always_inline)) ls_i128 at_i(ls_dtype t, const void *d, u32 v, bool *far) {
  switch (t) {
  case LS_U8: return *far = ((const u8 *)d)[v] == UINT8_MAX, ((const u8 *)d)[v];
  case LS_U32: return *far = ((const u32 *)d)[v] == UINT32_MAX, ((const u32 *)d)[v];
  case LS_U64: return *far = ((const u64 *)d)[v] == UINT64_MAX, ((const u64 *)d)[v];
  case LS_I16: return *far = ((const i16 *)d)[v] == INT16_MAX, ((const i16 *)d)[v];
  case LS_I32: return *far = ((const i32 *)d)[v] == INT32_MAX, ((const i32 *)d)[v];
  default: return *far = ((const i64 *)d)[v] == INT64_MAX, ((const i64 *)d)[v];
  }
}

static inline __attribute__((always_inline)) f64 at_f(ls_dtype t, const void *d, u32 v) {
  return t == LS_F32 ? (f64)((const f32 *)d)[v] : ((const f64 *)d)[v];
}

static ls_status too_large(const ls_row_check *c, u32 s, u32 v, u32 u) {
  char a[LS_NUMBER_CHARS], b[LS_NUMBER_CHARS];
  const char *have = ls_number_text(c->type, ls_number_at(c->type, c->d, u), a);
  const char *from = ls_number_text(c->type, ls_number_at(c->type, c->d, v), b);
  ls_fail(LS_EARG,
          "distances from %u: vertex %u has %s, but vertex %u has %s and the edge %u -> %u is shorter", s, u,
          have, v, from, v, u);
  if (!ls_dtype_is_real(c->type)) return LS_EARG;
  return ls_fail(LS_EARG, "%s, by more than %g (|%s| + |w|), the allowed rounding error", ls_error(), c->tol,
                 from);
}

static ls_status unreached(const ls_row_check *c, u32 s, u32 v, u32 u) {
  (void)c;
  return ls_fail(LS_EARG,
                 "distances from %u: vertex %u is marked unreachable, but %u is reached and there is an edge "
                 "%u -> %u",
                 s, u, v, v, u);
}

static inline void see(ls_row_check *c, u32 u, u32 parent, u32 *tail) {
  c->seen[u] = 1;
  c->queue[(*tail)++] = u;
  if (c->tree) c->tree[u] = parent;
}

/* Checks v's edges; marks and queues the vertices that are reached by a tight edge. */
static inline __attribute__((always_inline)) ls_status expand(ls_row_check *c, u32 s, u32 v, u32 *tail,
                                                              ls_dtype t, ls_dtype wtype) {
  const edges *g = &c->g;
  if (t == LS_F32 || t == LS_F64) {
    f64 dv = at_f(t, c->d, v);
    for (u64 e = g->off[v]; e < g->off[v + 1]; e++) {
      u32 u = g->to[e];
      f64 w = weight_f(g->w, wtype, e), du = at_f(t, c->d, u), sum = dv + w;
      f64 slack = c->tol * fabs(dv) + c->tol * fabs(w);
      if (du == INFINITY && c->limited && sum >= c->limit.r - slack) continue;
      if (du == INFINITY) return unreached(c, s, v, u);
      if (!(du <= sum + slack)) return too_large(c, s, v, u);
      if (!(du >= sum - slack)) continue;
      if (!c->seen[u]) see(c, u, v, tail);
      if (c->parent && c->parent[u] == v) c->tight[u] = 1;
    }
  } else {
    bool far;
    ls_i128 dv = at_i(t, c->d, v, &far);
    for (u64 e = g->off[v]; e < g->off[v + 1]; e++) {
      u32 u = g->to[e];
      ls_i128 sum = dv + weight_i(g->w, wtype, e), du = at_i(t, c->d, u, &far);
      if (far && c->limited && sum > c->limit.i) continue;
      if (far) return unreached(c, s, v, u);
      if (du > sum) return too_large(c, s, v, u);
      if (du < sum) continue;
      if (!c->seen[u]) see(c, u, v, tail);
      if (c->parent && c->parent[u] == v) c->tight[u] = 1;
    }
  }
  return LS_OK;
}

static bool at_zero(const ls_row_check *c, u32 v) {
  const ls_number own = ls_number_at(c->type, c->d, v);
  return own.real ? own.r == 0 : own.i == 0;
}

/* Does a path begin at this source, that is, is its distance 0? With reals it may be slightly below 0,
 * because of rounding on a cycle of weight 0. */
static bool begins(const ls_row_check *c, u32 s) {
  const ls_number own = ls_number_at(c->type, c->d, s);
  return own.real ? own.r <= 0 && own.r >= -c->tol * c->heaviest : own.i == 0;
}

/* Expands the queue from head on. The most frequent combinations of types are compiled separately. */
static ls_status drain(ls_row_check *c, u32 s, u32 head, u32 *tail) {
  const ls_dtype w = c->g.wtype;
  ls_status st = LS_OK;
#define ALL(t, w)                                                                                            \
  for (; !st && head < *tail; head++) st = expand(c, s, c->queue[head], tail, t, w)
  if (c->type == LS_I32 && w == LS_I32)
    ALL(LS_I32, LS_I32);
  else if (c->type == LS_I64 && w == LS_I32)
    ALL(LS_I64, LS_I32);
  else if (c->type == LS_I64 && w == LS_I64)
    ALL(LS_I64, LS_I64);
  else if (c->type == LS_F32 && w == LS_F32)
    ALL(LS_F32, LS_F32);
  else if (c->type == LS_F64 && w == LS_F64)
    ALL(LS_F64, LS_F64);
  else
    ALL(c->type, w);
#undef ALL
  return st;
}

static ls_status search(ls_row_check *c, const u32 *from, u64 sources) {
  const u32 s = from[0]; /* named in messages */
  u32 tail = 0;
  ls_status st = LS_OK;
  memset(c->seen, 0, c->g.n);
  for (int rounded = 0; !st && rounded < 2;
       rounded++) { /* first from sources at 0, then from those slightly below 0 */
    const u32 head = tail;
    for (u64 k = 0; k < sources; k++)
      if (!c->seen[from[k]] && (rounded ? begins(c, from[k]) : at_zero(c, from[k])))
        see(c, from[k], LS_NO_VERTEX, &tail);
    st = drain(c, s, head, &tail);
  }
  return st;
}

static bool reached(const ls_row_check *c, u32 v) {
  bool far = false;
  if (ls_dtype_is_real(c->type)) return at_f(c->type, c->d, v) != INFINITY;
  at_i(c->type, c->d, v, &far);
  return !far;
}

/* Makes the error for a v whose distance no tight path attains, with the best distance that its in-edges
 * offer. */
static ls_status unattained(const ls_row_check *c, u32 s, u32 v) {
  const edges *g = &c->g;
  bool real = ls_dtype_is_real(c->type), any = false;
  ls_number best = {.real = real}, have = ls_number_at(c->type, c->d, v);
  char a[LS_NUMBER_CHARS], b[LS_NUMBER_CHARS];
  for (u32 k = 0; k < g->n; k++)
    for (u64 e = g->off[k]; e < g->off[k + 1]; e++) {
      if (g->to[e] != v || k == v || !reached(c, k)) continue;
      ls_number x = ls_number_at(c->type, c->d, k);
      if (real)
        x.r += weight_f(g->w, g->wtype, e);
      else
        x.i += weight_i(g->w, g->wtype, e);
      if (!any || (real ? x.r < best.r : x.i < best.i)) best = x;
      any = true;
    }
  ls_number_text(c->type, have, a);
  if (!any)
    return ls_fail(LS_EARG,
                   "distances from %u: vertex %u has %s, but no edge from a reached vertex leads to it", s, v,
                   a);
  ls_number_text(LS_F64, best, b);
  bool less = real ? have.r < best.r : have.i < best.i;
  return less
             ? ls_fail(LS_EARG, "distances from %u: vertex %u has %s, but its in-edges give %s at least", s,
                       v, a, b)
             : ls_fail(LS_EARG,
                       "distances from %u: vertex %u has %s, but no path from %u is that short: its in-edges "
                       "come from vertices that are wrong too",
                       s, v, a, s);
}

static bool beyond_limit(const ls_row_check *c, u32 v) {
  const ls_number x = ls_number_at(c->type, c->d, v);
  return c->limited && (x.real ? x.r > c->limit.r : x.i > c->limit.i);
}

static ls_status check_source(const ls_row_check *c, u32 s, u64 sources) {
  const ls_number own = ls_number_at(c->type, c->d, s);
  if (begins(c, s) || (sources > 1 && (own.real ? own.r < 0 : own.i < 0))) return LS_OK;
  char a[LS_NUMBER_CHARS];
  return ls_fail(LS_EARG, "distances from %u: the %s has %s, expected 0%s", s,
                 sources > 1 ? "source" : "vertex itself", ls_number_text(c->type, own, a),
                 sources > 1 ? ", or less where another source is nearer" : "");
}

ls_status ls_row_check_from(ls_row_check *c, const u32 *from, u64 sources, const void *d) {
  const u32 s = from[0];
  c->d = d;
  if (ls_dtype_is_real(c->type))
    for (u32 v = 0; v < c->g.n; v++)
      if (isnan(at_f(c->type, d, v)) || at_f(c->type, d, v) == -INFINITY)
        return ls_fail(LS_EARG, "distances from %u: vertex %u has %g, expected a finite number or inf", s, v,
                       at_f(c->type, d, v));
  ls_status st = LS_OK;
  for (u64 k = 0; !st && k < sources; k++) st = check_source(c, from[k], sources);
  if (!st) st = search(c, from, sources);
  for (u32 v = 0; !st && v < c->g.n; v++) {
    if (!reached(c, v)) continue;
    if (!c->seen[v]) st = unattained(c, s, v);
    if (!st && beyond_limit(c, v)) {
      char a[LS_NUMBER_CHARS];
      st = ls_fail(LS_EARG, "distances from %u: vertex %u has %s, which is beyond the limit", s, v,
                   ls_number_text(c->type, ls_number_at(c->type, d, v), a));
    }
  }
  return st;
}

/* Needed for reals, because the checks above do not notice a negative cycle that is hidden by rounding. */
ls_status ls_row_no_cycle(const ls_row_check *c, ls_graph *g, u32 s) {
  ls_negative cycle = {0};
  ls_status st = ls_dtype_is_real(c->type) ? ls_negative_cycle(g, s, c->parent, &cycle) : LS_OK;
  return cycle.found
             ? ls_fail(LS_EARG,
                       "distances: there are none, because of a negative cycle that rounding hides: %s",
                       cycle.text)
             : st;
}

/* Checks that the parents form a tree (or a forest) of tight edges over exactly the reached vertices, with
 * sources as its roots. tight[v]: the search has passed a tight edge parent[v] -> v. `order`, u32[n],
 * is scratch. */
static ls_status check_tree(const ls_row_check *c, const u32 *from, u64 sources, u32 *order) {
  const u32 *parent = c->parent;
  u32 n = c->g.n;
  if (sources == 1 && parent[from[0]] != LS_NO_VERTEX)
    return ls_fail(LS_EARG, "parents: the source %u has the parent %u", from[0], parent[from[0]]);
  memset(order, 0, (size_t)n * sizeof *order); /* order[v]: is v a root? */
  for (u64 k = 0; k < sources; k++) order[from[k]] = parent[from[k]] == LS_NO_VERTEX && begins(c, from[k]);
  for (u32 v = 0; v < n; v++) {
    if (order[v]) continue;
    if (!reached(c, v) && parent[v] != LS_NO_VERTEX)
      return ls_fail(LS_EARG, "parents: vertex %u is unreachable but has the parent %u", v, parent[v]);
    if (!reached(c, v)) continue;
    if (parent[v] == LS_NO_VERTEX)
      return ls_fail(LS_EARG, "parents: vertex %u is reached but has no parent", v);
    if (parent[v] >= n)
      return ls_fail(LS_EARG, "parents: vertex %u has the parent %u, but n = %u", v, parent[v], n);
    if (!c->tight[v])
      return ls_fail(
          LS_EARG,
          "parents: there is no edge %u -> %u whose weight, added to the parent's distance, gives the "
          "distance of vertex %u",
          parent[v], v, v);
  }
  memset(order, 0, (size_t)n * sizeof *order); /* order[v]: 1 + the start of the walk that first reached v */
  for (u32 first = 0; first < n; first++) {
    u32 v = first;
    while (v != LS_NO_VERTEX && !order[v]) order[v] = first + 1, v = parent[v];
    if (v != LS_NO_VERTEX && order[v] == first + 1)
      return ls_fail(LS_EARG, "parents: vertex %u is its own ancestor: the parents of %u and %u form a cycle",
                     v, v, parent[v]);
  }
  return LS_OK;
}

static ls_status begin_claim(ls_graph *g, const ls_sssp_claim *claim, ls_row_check *c) {
  *c = (ls_row_check){0};
  if (!claim->count) return ls_fail(LS_EARG, "distances: there is no source");
  for (u64 k = 0; k < claim->count; k++)
    if (claim->sources[k] >= g->n)
      return ls_fail(LS_EARG, "source %u is not a vertex: n = %u", claim->sources[k], g->n);
  const f64 tol = claim->tol > 0 ? claim->tol : 8 * (claim->type == LS_F32 ? (f64)FLT_EPSILON : DBL_EPSILON);
  const ls_status st = ls_row_begin(g, claim->unit, claim->type, tol, c);
  c->limited = claim->limited;
  c->limit = claim->limit;
  return st;
}

ls_status ls_check_sssp_claim(ls_graph *g, const ls_sssp_claim *claim) {
  ls_row_check c;
  const u32 *parent = claim->parent;
  ls_status st = begin_claim(g, claim, &c);
  if (!st && parent) {
    c.parent = parent;
    c.tight = ls_calloc(g->n, 1);
    if (!c.tight) st = LS_EMEM;
  }
  if (!st) st = ls_row_check_from(&c, claim->sources, claim->count, claim->dist);
  if (!st && parent) st = check_tree(&c, claim->sources, claim->count, c.queue);
  for (u64 k = 0; !st && k < claim->count; k++) st = ls_row_no_cycle(&c, g, claim->sources[k]);
  ls_free(c.tight);
  ls_row_end(&c);
  return st;
}

ls_status ls_sssp_tree(ls_graph *g, const ls_sssp_claim *claim, u32 *parent) {
  ls_row_check c;
  ls_status st = begin_claim(g, claim, &c);
  c.tree = parent;
  if (!st) memset(parent, 0xff, (size_t)g->n * sizeof *parent); /* LS_NO_VERTEX */
  if (!st) st = ls_row_check_from(&c, claim->sources, claim->count, claim->dist);
  ls_row_end(&c);
  return st;
}
