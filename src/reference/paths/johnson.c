/* Johnson 1977: all-pairs distances of a sparse graph that may have negative weights. Potentials make every
 * weight non-negative without changing the shortest paths; then Dijkstra's algorithm runs from every vertex.
 * The potentials are the distances from an extra vertex with an edge of weight 0 to every other vertex. The
 * sources are distributed over the threads, as in Okuyama 2013, section 3.5. */
#include <math.h>
#include <omp.h>
#include <stdio.h>

#include "core/mem.h"
#include "reference/reference.h"
#include "reference/weights.h"

/* Bellman-Ford from the extra vertex: every potential starts at 0. Returns true if the potentials stop
 * changing within n passes. *left becomes true if a sum overflows. */
static bool find_potentials(const edges *g, bool real, i64 *hi, f64 *hf, bool *left) {
  bool moved = true;
  for (u64 pass = 0; moved && !*left && pass <= g->n; pass++) {
    moved = false;
    for (u32 v = 0; v < g->n; v++)
      for (u64 e = g->off[v]; e < g->off[v + 1]; e++) {
        const u32 u = g->to[e];
        if (real) {
          const f64 w = weight_f(g->w, g->wtype, e), x = hf[v] + w;
          *left |= x == -INFINITY;
          if (x < hf[u] - 4 * 0x1p-52 * (fabs(hf[v]) + fabs(w)))
            hf[u] = x, moved = true; /* ignores decreases below the rounding error */
        } else {
          i64 x;
          if (__builtin_add_overflow(hi[v], weight_i(g->w, g->wtype, e), &x)) {
            *left |= hi[v] < 0;
            continue;
          }
          if (x < hi[u]) hi[u] = x, moved = true;
        }
      }
  }
  return !moved;
}

/* Makes the graph with weights w + h[u] - h[v], in 64 bits. A real weight that rounding makes slightly
 * negative becomes 0. */
static ls_status reweighted(ls_graph *g, const edges *e, bool real, const i64 *hi, const f64 *hf,
                            ls_graph **out) {
  ls_buffer *w;
  ls_status st = ls_buffer_new(real ? LS_F64 : LS_I64, e->m, 0, &w);
  void *to = st ? NULL : ls_buffer_overwrite(w);
  if (!to) return LS_EMEM;
  bool left = false;
  for (u32 v = 0; v < e->n; v++)
    for (u64 k = e->off[v]; k < e->off[v + 1]; k++) {
      const u32 u = e->to[k];
      if (real) {
        ((f64 *)to)[k] = fmax(0, weight_f(e->w, e->wtype, k) + hf[v] - hf[u]);
        continue;
      }
      i64 x;
      left |= __builtin_add_overflow(weight_i(e->w, e->wtype, k), hi[v], &x);
      left |= __builtin_sub_overflow(x, hi[u], &((i64 *)to)[k]);
    }
  if (left) {
    ls_buffer_release(w);
    return ls_fail(LS_EOVERFLOW, "johnson: a reweighted edge does not fit 64 bits");
  }
  ls_buffer *const arrays[6] = {ls_buffer_retain(g->off), ls_buffer_retain(g->to), w};
  return ls_graph_from_buffers(g->n, g->m, real ? LS_F64 : LS_I64, arrays, "reweighted", out);
}

/* Computes the distances from s in the original weights. */
static ls_status row(ls_graph *r, u32 s, bool real, const i64 *hi, const f64 *hf, void *d, u32 *parent) {
  const u64 n = r->n;
  i64 *di = (i64 *)d + s * n;
  f64 *df = (f64 *)d + s * n;
  const ls_status st = ls_dijkstra(r, s, real ? (void *)df : (void *)di, parent);
  for (u32 v = 0; !st && v < n; v++) {
    if (real)
      df[v] = df[v] + hf[v] - hf[s]; /* an infinite distance stays infinite */
    else if (di[v] != INT64_MAX)
      di[v] = (i64)((u64)di[v] + (u64)hi[v] - (u64)hi[s]);
  }
  return st;
}

/* Runs a search from every vertex, each by one thread. Error messages are per thread, so the message of
 * the first failure is passed on to the caller's thread. */
static ls_status rows(ls_graph *r, bool real, const i64 *hi, const f64 *hf, void *d, int threads) {
  u32 *parents = ls_malloc((size_t)threads * r->n * sizeof *parents);
  if (!parents) return LS_EMEM;
  ls_status st = LS_OK;
  char why[512] = "";
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (u32 s = 0; s < r->n; s++) {
    ls_status now;
#pragma omp atomic read
    now = st;
    if (now) continue;
    now = row(r, s, real, hi, hf, d, parents + (size_t)omp_get_thread_num() * r->n);
    if (!now) continue;
#pragma omp critical(johnson)
    {
      if (!st) snprintf(why, sizeof why, "%s", ls_error());
#pragma omp atomic write
      st = now;
    }
  }
  ls_free(parents);
  return st ? ls_fail(st, "%s", why) : LS_OK;
}

ls_status ls_johnson(ls_graph *g, int threads, void *d) {
  edges e;
  const bool real = ls_dtype_is_real(g->wtype);
  ls_status st = edges_of(g, &e);
  if (st) return st;
  i64 *hi = ls_calloc((size_t)g->n + 1, sizeof *hi);
  f64 *hf = ls_calloc((size_t)g->n + 1, sizeof *hf);
  ls_graph *r = NULL;
  bool left = false;
  if (!hi || !hf) st = LS_EMEM;
  if (!st && !find_potentials(&e, real, hi, hf, &left)) {
    ls_negative cycle;
    st = ls_negative_cycle(g, LS_NO_VERTEX, NULL, &cycle);
    if (!st)
      st = cycle.found
               ? ls_fail(LS_EARG, "johnson: vertex %u lies on a negative cycle: %s", cycle.vertex, cycle.text)
               : ls_fail(LS_EOVERFLOW, "johnson: a potential does not fit %s", real ? "f64" : "64 bits");
  }
  if (!st) st = reweighted(g, &e, real, hi, hf, &r);
  if (threads < 1) threads = omp_get_max_threads();
  if ((u32)threads > g->n) threads = 1;
  if (!st) st = rows(r, real, hi, hf, d, threads);
  if (r) ls_graph_release(r);
  ls_free(hi);
  ls_free(hf);
  return st;
}
