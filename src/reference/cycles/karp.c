/* Karp 1978: let D_k(v) be the least weight of a walk of exactly k edges from a root to v. The least cycle
 * mean is the minimum over v of the maximum over k < n of (D_n(v) - D_k(v)) / (n - k).
 *
 * The recurrence runs twice, first to compute D_n, then to compare every D_k with it, so that only two rows
 * are stored. A cycle of that mean is then found among the tight edges of an exact search at the mean. */
#include "core/mem.h"
#include "core/wait.h"
#include "reference/cycles/cycle_solve.h"

#define FAR ((ls_i128)1 << 126) /* no such walk */

static void step(const cycle_graph *c, const ls_i128 *from, ls_i128 *to) {
  for (u32 v = 0; v < c->n; v++) to[v] = FAR;
  for (u32 u = 0; u < c->n; u++) {
    if (from[u] == FAR) continue;
    for (u64 e = c->off[u]; e < c->off[u + 1]; e++)
      if (from[u] + c->w[e] < to[c->to[e]]) to[c->to[e]] = from[u] + c->w[e];
  }
}

typedef struct karp {
  ls_i128 *row[2], *last; /* last: D_n */
  ls_i128 *p;             /* [n]: p/q is the greatest (D_n - D_k) / (n - k) so far; */
  u32 *q;                 /* [n]: q = 0: none yet */
} karp;

static void first_row(const cycle_graph *c, ls_i128 *row) {
  for (u32 v = 0; v < c->n; v++) row[v] = FAR;
  row[0] = 0;
}

static ls_status run(const cycle_graph *c, karp *k, ls_i128 *p, u32 *q) {
  const u32 n = c->n;
  first_row(c, k->row[0]);
  for (u32 i = 0; i < n; i++) {
    step(c, k->row[i & 1], k->row[(i & 1) ^ 1]);
    if ((i & 63) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  for (u32 v = 0; v < n; v++) k->last[v] = k->row[n & 1][v], k->q[v] = 0;
  first_row(c, k->row[0]);
  for (u32 i = 0; i < n; i++) {
    const ls_i128 *row = k->row[i & 1];
    for (u32 v = 0; v < n; v++) {
      if (row[v] == FAR || k->last[v] == FAR) continue;
      const ls_i128 rise = k->last[v] - row[v];
      if (k->q[v] && !ratio_less(k->p[v], k->q[v], rise, n - i)) continue;
      k->p[v] = rise;
      k->q[v] = n - i;
    }
    if (i + 1 < n) step(c, row, k->row[(i & 1) ^ 1]);
    if ((i & 63) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  *q = 0;
  for (u32 v = 0; v < n; v++)
    if (k->q[v] && (!*q || ratio_less(k->p[v], k->q[v], *p, *q))) {
      *p = k->p[v];
      *q = k->q[v];
    }
  return LS_OK;
}

/* Finds a cycle of edges that are tight for the potentials of a search at p/q; one exists if p/q is the least
 * mean. */
static ls_status tight_cycle(const cycle_graph *c, ls_i128 p, ls_i128 q, cycle_best *best) {
  const size_t n = c->n;
  ls_i128 *d = ls_calloc(n, sizeof *d);
  u32 *path = ls_malloc(n * sizeof *path), *next = ls_malloc(n * sizeof *next);
  u8 *state = ls_calloc(n, 1);
  u64 count = 0;
  ls_status st = d && path && next && state ? ls_cycle_spf(c, p, q, NULL, d, path, &count) : LS_EMEM;
  if (!st && count) st = ls_cycle_offer(best, c, path, count); /* cannot happen if p/q is right */
  if (!st && !count) st = ls_cycle_keep(best, c, d);
  bool found = count > 0;
  for (u32 root = 0; root < n && !st && !found;
       root++) { /* path holds edges: the k-th one leaves the k-th vertex of the path */
    u64 depth = 0;
    u32 v = root;
    if (state[v]) continue;
    state[v] = 1;
    next[v] = c->off[v];
    for (;;) {
      u32 e = next[v];
      while (e < c->off[v + 1] &&
             (state[c->to[e]] == 2 || d[c->to[e]] != d[v] + q * c->w[e] - p * time_of(c, e)))
        e++;
      next[v] = e + 1;
      if (e >= c->off[v + 1]) {
        state[v] = 2;
        if (!depth) break;
        const u32 back = path[--depth];
        u32 lo = 0, hi = c->n; /* binary search for the edge's source */
        while (hi - lo > 1) *(c->off[(lo + hi) / 2] <= back ? &lo : &hi) = (lo + hi) / 2;
        v = lo;
        continue;
      }
      path[depth++] = e;
      v = c->to[e];
      if (state[v] == 1) {
        u64 from = depth - 1;
        while (from > 0 && c->to[path[from - 1]] != v) from--;
        st = ls_cycle_offer(best, c, path + from, depth - from);
        found = true;
        break;
      }
      state[v] = 1;
      next[v] = c->off[v];
    }
  }
  ls_free(d);
  ls_free(path);
  ls_free(next);
  ls_free(state);
  return st;
}

static ls_status solve(const cycle_graph *c, cycle_best *best) {
  const size_t n = c->n;
  karp k = {{ls_malloc(n * sizeof *k.p), ls_malloc(n * sizeof *k.p)},
            ls_malloc(n * sizeof *k.p),
            ls_malloc(n * sizeof *k.p),
            ls_malloc(n * sizeof *k.q)};
  ls_i128 p = 0;
  u32 q = 0;
  ls_status st = k.row[0] && k.row[1] && k.last && k.p && k.q ? run(c, &k, &p, &q) : LS_EMEM;
  void *all[] = {k.row[0], k.row[1], k.last, k.p, k.q};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
  if (!st && q && (!best->found || ratio_less(p, q, best->p, best->q))) st = tight_cycle(c, p, q, best);
  return st;
}

ls_status ls_karp(ls_graph *g, ls_cycle_kind kind, ls_cycle *out) {
  if (kind.ratio && g->t)
    return ls_fail(LS_EARG, "Karp's algorithm finds cycle means, not ratios over times");
  return ls_cycle_solve(g, kind, solve, false, out);
}
