#include "data/stats.h"

#include <stdatomic.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

enum { SMALL = 1 << 14 };

static void count_degrees(const u32 *off, u32 n, u64 m, ls_degrees *d) {
  *d = (ls_degrees){.min = n ? UINT32_MAX : 0, .mean = n ? (f64)m / n : 0};
  for (u32 v = 0; v < n; v++) {
    u32 degree = off[v + 1] - off[v];
    if (degree < d->min) d->min = degree;
    if (degree > d->max) d->max = degree, d->top = v;
    d->bins[degree ? 32 - __builtin_clz(degree) : 0]++;
  }
}

/* Counts self loops and parallel edges. The transpose's rows are sorted, so parallel edges are adjacent
 * there. */
static void count_odd_edges(const u32 *roff, const u32 *rto, u32 n, ls_graph_stats *s) {
  u64 loops = 0, parallel = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : loops, parallel) if (n > SMALL)
  for (u32 v = 0; v < n; v++)
    for (u32 e = roff[v]; e < roff[v + 1]; e++) {
      loops += rto[e] == v;
      parallel += e > roff[v] && rto[e] == rto[e - 1];
    }
  s->self_loops = loops;
  s->parallel = parallel;
}

/* --- weak components: a union-find forest with parent[v] <= v ---------------------------------------- */

static u32 root_of(_Atomic u32 *parent, u32 v) {
  for (;;) {
    u32 p = atomic_load_explicit(&parent[v], memory_order_relaxed);
    u32 above = atomic_load_explicit(&parent[p], memory_order_relaxed);
    if (p == above) return p;
    atomic_compare_exchange_weak_explicit(&parent[v], &p, above, memory_order_relaxed, memory_order_relaxed);
    v = above; /* path halving */
  }
}

static void join(_Atomic u32 *parent, u32 a, u32 b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    u32 high = a > b ? a : b, low = a < b ? a : b, expected = high;
    if (atomic_compare_exchange_strong(&parent[high], &expected, low)) return;
  }
}

static ls_status count_components(const u32 *off, const u32 *to, u32 n, ls_graph_stats *s) {
  _Atomic u32 *parent = ls_malloc(n * sizeof *parent);
  u32 *size = ls_calloc(n, sizeof *size);
  ls_status st = parent && size ? LS_OK : LS_EMEM;
  if (!st) {
    for (u32 v = 0; v < n; v++) atomic_init(&parent[v], v);
#pragma omp parallel for schedule(dynamic, 1024) if (n > SMALL)
    for (u32 v = 0; v < n; v++) {
      if (ls_interrupted()) continue;
      for (u32 e = off[v]; e < off[v + 1]; e++) join(parent, v, to[e]);
    }
    for (u32 v = 0; v < n; v++) {
      u32 r = root_of(parent, v);
      s->weak += r == v;
      if (++size[r] > s->largest) s->largest = size[r];
    }
    if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  ls_free(parent);
  ls_free(size);
  return st;
}

/* --- weights ---------------------------------------------------------------------------------------------
 */

static u64 count_negative(ls_dtype t, const void *w, u64 m) {
  u64 count = 0;
#pragma omp parallel for reduction(+ : count) if (m > SMALL)
  for (u64 e = 0; e < m; e++) switch (t) {
    case LS_I32: count += ((const i32 *)w)[e] < 0; break;
    case LS_I64: count += ((const i64 *)w)[e] < 0; break;
    case LS_F32: count += ((const f32 *)w)[e] < 0; break;
    default: count += ((const f64 *)w)[e] < 0; break;
    }
  return count;
}

ls_status ls_graph_statistics(ls_graph *g, ls_graph_stats *out) {
  memset(out, 0, sizeof *out);
  ls_status st = ls_graph_transpose(g);
  if (st) return st;
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to), *roff = ls_buffer_read(g->roff),
            *rto = ls_buffer_read(g->rto);
  const void *w = g->w ? ls_buffer_read(g->w) : NULL;
  if (!off || !to || !roff || !rto || (g->w && !w)) return LS_EMEM;
  count_degrees(off, g->n, g->m, &out->out);
  count_degrees(roff, g->n, g->m, &out->in);
  for (u32 v = 0; v < g->n; v++) out->isolated += off[v] == off[v + 1] && roff[v] == roff[v + 1];
  count_odd_edges(roff, rto, g->n, out);
  if (w && g->m) {
    ls_reduce_range(g->wtype, w, g->m, false, &out->wmin, &out->wmax);
    out->wsum = ls_reduce_sum(g->wtype, w, g->m);
    out->negative = count_negative(g->wtype, w, g->m);
  }
  return count_components(off, to, g->n, out);
}
