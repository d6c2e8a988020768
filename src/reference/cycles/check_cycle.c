/* Checks that the mean or ratio of a cycle is the optimum, by linear programming duality: a closed walk must
 * attain it, and potentials must hold on every edge. Shares no code with the algorithms that find cycles and
 * potentials, and reads the graph's own arrays. */
#include <float.h>
#include <math.h>

#include "core/mem.h"
#include "reference/cycles/cycle.h"

enum { SMALL = 100000 }; /* up to this many edges are checked by one thread */

typedef struct view { /* the graph's arrays */
  ls_graph *g;
  const u32 *off, *to;
  const void *w, *t; /* NULL: each weight, each time is 1 */
} view;

static ls_status look(ls_graph *g, ls_cycle_kind kind, view *out) {
  *out = (view){.g = g, .off = ls_buffer_read(g->off), .to = ls_buffer_read(g->to)};
  if (g->w) out->w = ls_buffer_read(g->w);
  if (g->t && kind.ratio) out->t = ls_buffer_read(g->t);
  return out->off && out->to && (out->w || !g->w) && (out->t || !g->t || !kind.ratio) ? LS_OK : LS_EMEM;
}

static i64 whole_weight(const view *s, u64 e) {
  if (!s->w) return 1;
  return s->g->wtype == LS_I32 ? ((const i32 *)s->w)[e] : ((const i64 *)s->w)[e];
}

static f64 real_weight(const view *s, u64 e) {
  return s->g->wtype == LS_F32 ? (f64)((const f32 *)s->w)[e] : ((const f64 *)s->w)[e];
}

static i64 edge_time(const view *s, u64 e) {
  if (!s->t) return 1;
  return s->g->ttype == LS_I32 ? ((const i32 *)s->t)[e] : ((const i64 *)s->t)[e];
}

static u32 edge_source(const view *s, u64 e) {
  u32 low = 0, high = s->g->n; /* off[low] <= e < off[high] */
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (s->off[middle] <= e)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Checks that each edge begins where the previous one ends. */
static ls_status closed(const view *s, const ls_cycle *claim) {
  if (!claim->count) return ls_fail(LS_EARG, "the cycle has no edges");
  for (u64 i = 0; i < claim->count; i++)
    if (claim->edges[i] >= s->g->m)
      return ls_fail(LS_EARG, "the cycle's edge %u is not below m = %llu", claim->edges[i],
                     (unsigned long long)s->g->m);
  u32 before = s->to[claim->edges[claim->count - 1]];
  for (u64 i = 0; i < claim->count; i++) {
    const u32 e = claim->edges[i], from = edge_source(s, e);
    if (from != before)
      return ls_fail(LS_EARG,
                     "the cycle is not closed: edge %u leaves vertex %u, the one before it leads to %u", e,
                     from, before);
    before = s->to[e];
  }
  return LS_OK;
}

/* Checks that there is no cycle: vertices without in-edges can be removed until none is left. */
static ls_status acyclic(const view *s) {
  const u32 n = s->g->n;
  u32 *entering = ls_calloc(n, sizeof *entering), *removed = ls_malloc((size_t)n * sizeof *removed),
      count = 0;
  ls_status st = entering && removed ? LS_OK : LS_EMEM;
  if (!st) {
    for (u64 e = 0; e < s->g->m; e++) entering[s->to[e]]++;
    for (u32 v = 0; v < n; v++)
      if (!entering[v]) removed[count++] = v;
    for (u32 i = 0; i < count; i++)
      for (u32 e = s->off[removed[i]]; e < s->off[removed[i] + 1]; e++)
        if (--entering[s->to[e]] == 0) removed[count++] = s->to[e];
    for (u32 v = 0; v < n && count < n && !st; v++)
      if (entering[v])
        st = ls_fail(
            LS_EARG,
            "the result says that there is no cycle, but %u vertices are on a cycle or can be reached from one, %u first",
            n - count, v);
  }
  ls_free(entering);
  ls_free(removed);
  return st;
}

/* --- whole weights ----------------------------------------------------------------------------------- */

static const ls_i128 MOST = (ls_i128)1 << 126;

static i64 common_divisor(i64 a, i64 b) {
  u64 x = a < 0 ? -(u64)a : (u64)a, y = (u64)b;
  while (y) {
    const u64 rest = x % y;
    x = y;
    y = rest;
  }
  return (i64)x;
}

static ls_status attains(const view *s, const ls_cycle *claim) {
  ls_i128 weight = 0, time = 0;
  for (u64 i = 0; i < claim->count; i++) {
    weight += whole_weight(s, claim->edges[i]);
    time += edge_time(s, claim->edges[i]);
  }
  if (time <= 0) return ls_fail(LS_EARG, "the cycle takes no time");
  ls_i128 left, right;
  if (__builtin_mul_overflow(weight, (ls_i128)claim->q, &left) ||
      __builtin_mul_overflow(time, (ls_i128)claim->p, &right))
    return ls_fail(LS_EOVERFLOW, "the cycle's weight does not fit in 127 bits");
  if (left != right)
    return ls_fail(LS_EARG, "lambda = %lld/%lld, but the cycle's is %.17g/%.17g = %.17g", (long long)claim->p,
                   (long long)claim->q, (f64)weight, (f64)time, (f64)weight / (f64)time);
  return LS_OK;
}

/* Checks that n (q max|w| + |p| max t) < 2^126 and that potentials are below 2^126, so that the sums in
 * ls_check_cycle cannot overflow. */
static ls_status fits(const view *s, const ls_cycle *claim, const ls_i128 *d) {
  u64 w = 0, t = 0;
#pragma omp parallel for reduction(max : w, t) if (s->g->m > SMALL)
  for (u64 e = 0; e < s->g->m; e++) {
    const i64 x = whole_weight(s, e), y = edge_time(s, e);
    const u64 size = x < 0 ? -(u64)x : (u64)x;
    if (size > w) w = size;
    if ((u64)y > t) t = (u64)y;
  }
  ls_i128 a, b, sum;
  const ls_i128 p = claim->p < 0 ? -(ls_i128)claim->p : claim->p;
  if (__builtin_mul_overflow((ls_i128)claim->q, (ls_i128)w, &a) ||
      __builtin_mul_overflow(p, (ls_i128)t, &b) || __builtin_add_overflow(a, b, &sum) ||
      __builtin_mul_overflow(sum, (ls_i128)s->g->n, &sum) || sum >= MOST)
    return ls_fail(LS_EOVERFLOW,
                   "n (q max|w| + |p| max t) is not below 2^126: the check would need more than 128 bits");
  for (u32 v = 0; v < s->g->n; v++)
    if (d[v] >= MOST || d[v] <= -MOST)
      return ls_fail(LS_EARG, "the potential of vertex %u is not below 2^126", v);
  return LS_OK;
}

static ls_status in_lowest_terms(const ls_cycle *claim) {
  if (claim->q > 0 && common_divisor(claim->p, claim->q) == 1) return LS_OK;
  return ls_fail(LS_EARG, "lambda = %lld/%lld is not a fraction in lowest terms", (long long)claim->p,
                 (long long)claim->q);
}

ls_status ls_check_walk(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim) {
  view s;
  ls_status st = look(g, kind, &s);
  if (!st) st = in_lowest_terms(claim);
  if (!st) st = closed(&s, claim);
  return st ? st : attains(&s, claim);
}

ls_status ls_check_cycle(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d) {
  view s;
  ls_status st = look(g, kind, &s);
  if (st) return st;
  if (!claim->found) return acyclic(&s);
  st = in_lowest_terms(claim);
  if (!st) st = closed(&s, claim);
  if (!st) st = fits(&s, claim, d);
  if (!st) st = attains(&s, claim);
  if (st) return st;
  u64 broken = g->m; /* the first edge that violates the potentials */
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : broken) if (g->m > SMALL)
  for (u32 u = 0; u < g->n; u++)
    for (u64 e = s.off[u]; e < s.off[u + 1]; e++) {
      const ls_i128 bound =
          d[u] + ((ls_i128)claim->q * whole_weight(&s, e) - (ls_i128)claim->p * edge_time(&s, e));
      if ((kind.max ? d[s.to[e]] < bound : d[s.to[e]] > bound) && e < broken) broken = e;
    }
  if (broken == g->m) return LS_OK;
  return ls_fail(
      LS_EARG,
      "the potentials prove nothing: edge %llu from %u to %u breaks d(v) %s d(u) + %lld w - %lld t (u "
      "and v: its ends, w and t: its weight and time, d: r.potential)",
      (unsigned long long)broken, edge_source(&s, broken), s.to[broken],
      kind.max ? ">=" : "<=", (long long)claim->q, (long long)claim->p);
}

/* --- real weights ------------------------------------------------------------------------------------ */

/* Computes a lower bound of the ratio of every cycle: the least (w + d(u) - d(v)) / t of all edges. If `max`,
 * the signs of w and d are changed. The bound is rounded down: the error of a long double sum is at most
 * 2^-63 of its greatest operand. */
static ls_status proved_bound(const view *s, bool max, const ls_i128 *d, f64 unit, long double *out) {
  long double low = INFINITY, below = 0; /* below: maximum of -sum over edges with t = 0, at least 0 */
  for (u32 u = 0; u < s->g->n; u++)
    for (u32 e = s->off[u]; e < s->off[u + 1]; e++) {
      const long double w = max ? -(long double)real_weight(s, e) : (long double)real_weight(s, e),
                        difference =
                            (long double)(max ? d[s->to[e]] - d[u] : d[u] - d[s->to[e]]) * (long double)unit,
                        error = (fabsl(w) + fabsl(difference)) * 0x1p-62L, sum = w + difference - error;
      const i64 t = edge_time(s, e);
      if (isnan(sum))
        return ls_fail(LS_EARG, "the potentials prove nothing: at edge %u they are not finite", e);
      if (t == 0) {
        if (-sum > below) below = -sum;
      } else {
        const long double ratio = sum / (long double)t, down = ratio - fabsl(ratio) * 0x1p-62L;
        if (down < low) low = down;
      }
    }
  *out = low -
         below * (long double)s->g->n; /* a cycle has fewer than n such edges, and its time is at least 1 */
  return LS_OK;
}

ls_status ls_check_cycle_real(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d,
                              f64 unit, f64 *gap) {
  view s;
  *gap = 0;
  ls_status st = look(g, kind, &s);
  if (st) return st;
  if (!claim->found) return acyclic(&s);
  st = closed(&s, claim);
  if (st) return st;
  long double greatest = 0, low = 0;
  for (u64 e = 0; e < g->m; e++) greatest = fmaxl(greatest, fabsl((long double)real_weight(&s, e)));
  for (u32 v = 0; v < g->n; v++)
    if (d[v] >= MOST || d[v] <= -MOST)
      return ls_fail(LS_EARG, "the potential of vertex %u is not below 2^126", v);
  long double weight = 0, size = 0, time = 0;
  for (u64 i = 0; i < claim->count; i++) {
    const long double w = (long double)real_weight(&s, claim->edges[i]);
    weight += kind.max ? -w : w;
    size += fabsl(w);
    time += (long double)edge_time(&s, claim->edges[i]);
  }
  if (time <= 0) return ls_fail(LS_EARG, "the cycle takes no time");
  const long double mean = weight / time,
                    high = mean + (size * (long double)claim->count / time + fabsl(mean)) * 0x1p-62L;
  const long double told = kind.max ? -(long double)claim->mean : (long double)claim->mean;
  if (!(fabsl(told - mean) <=
        (high - mean) + fabsl(mean) * 0x1p-51L + 0x1p-1074L)) /* 2^-1074: least double */
    return ls_fail(LS_EARG, "lambda = %.17g, but the cycle's is %.17g", claim->mean,
                   (f64)(kind.max ? -mean : mean));
  st = proved_bound(&s, kind.max, d, unit, &low);
  if (st) return st;
  *gap = greatest > 0 ? (f64)((high - low) / greatest) : 0;
  if (!(high - low <= 1e-12L * greatest + 0x1p-1072L))
    return ls_fail(
        LS_EARG,
        "lambda lies between %.17g and %.17g: they differ by more than 1e-12 times the greatest weight",
        (f64)(kind.max ? -high : low), (f64)(kind.max ? -low : high));
  return LS_OK;
}
