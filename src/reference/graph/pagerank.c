/* PageRank by the power method: Page, Brin, Motwani, Winograd 1999. Ranks are passed on along out-edges. */
#include <float.h>
#include <math.h>

#include "core/mem.h"
#include "core/wait.h"
#include "reference/network.h"

/* next = the ranks after one step from `rank`. */
static void walk(u32 n, const u32 *off, const u32 *to, f64 damping, const f64 *rank, f64 *next) {
  f64 dangling = 0;
  for (u32 v = 0; v < n; v++) {
    next[v] = 0;
    if (off[v] == off[v + 1]) dangling += rank[v];
  }
  for (u32 v = 0; v < n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++) next[to[e]] += rank[v] / (off[v + 1] - off[v]);
  for (u32 v = 0; v < n; v++) next[v] = (1 - damping) / n + damping * (next[v] + dangling / n);
}

static f64 distance(u32 n, const f64 *a, const f64 *b) {
  f64 sum = 0;
  for (u32 v = 0; v < n; v++) sum += fabs(a[v] - b[v]);
  return sum;
}

ls_status ls_pagerank(ls_graph *g, f64 damping, f64 tolerance, u32 most, f64 *rank, u32 *steps) {
  const u32 n = g->n, *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  f64 *next = ls_malloc(((size_t)n + 1) * sizeof *next);
  ls_status st = off && to && next ? LS_OK : LS_EMEM;
  for (u32 v = 0; v < n && !st; v++) rank[v] = 1.0 / n;
  f64 change = INFINITY;
  for (*steps = 0; !st && *steps < most && change >= tolerance; ++*steps) {
    walk(n, off, to, damping, rank, next);
    change = distance(n, rank, next);
    for (u32 v = 0; v < n; v++) rank[v] = next[v];
    if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  ls_free(next);
  return st;
}

ls_status ls_check_pagerank(ls_graph *g, f64 damping, f64 allowed, const f64 *rank) {
  const u32 n = g->n, *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  f64 sum = 0;
  for (u32 v = 0; v < n; v++) {
    if (!(rank[v] > 0 && rank[v] <= 1 + 1e-9))
      return ls_fail(LS_EARG,
                     "pagerank: the rank of vertex %u is %.17g, expected a number above 0, at most 1", v,
                     rank[v]);
    sum += rank[v];
  }
  f64 *next = ls_malloc(((size_t)n + 1) * sizeof *next);
  u32 *in = ls_calloc((size_t)n + 1, sizeof *in);
  ls_status st = off && to && next && in ? LS_OK : LS_EMEM;
  if (!st) {
    walk(n, off, to, damping, rank, next);
    for (u64 e = 0; e < g->m; e++) in[to[e]]++;
    /* Bounds the rounding error: a sum of k terms is rounded k times, and all terms of the walk are positive.
     */
    f64 rounding = 0;
    u32 worst = 0;
    for (u32 v = 0; v < n; v++) {
      rounding += (in[v] + 16.0) * DBL_EPSILON * next[v];
      if (fabs(rank[v] - next[v]) > fabs(rank[worst] - next[worst])) worst = v;
    }
    rounding = 2 * rounding + n * DBL_EPSILON * DBL_EPSILON;
    const f64 change = distance(n, rank, next);
    if (n > 0 && !(fabs(sum - 1) <= 1e-9))
      st = ls_fail(
          LS_EARG,
          "pagerank: the ranks add up to %.17g, expected 1; a step of the walk changes the rank of vertex %u "
          "most, from %.17g to %.17g",
          sum, worst, rank[worst], next[worst]);
    else if (!(change <= allowed + rounding))
      st = ls_fail(
          LS_EARG,
          "pagerank: a step of the walk changes the ranks by %.3g in sum, expected %.3g at most; the rank of "
          "vertex %u changes from %.17g to %.17g",
          change, allowed, worst, n ? rank[worst] : 0, n ? next[worst] : 0);
  }
  ls_free(next);
  ls_free(in);
  return st;
}
