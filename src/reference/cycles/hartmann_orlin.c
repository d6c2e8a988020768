/* Hartmann and Orlin 1993: Karp's recurrence, but all rows D_k are kept with their parents, and after
 * 1, 2, 4, 8, ... rows it is tested whether an optimal cycle has been found.
 *
 * A walk of k edges that repeats a vertex contains a cycle. Let lambda = p/q be the ratio of the best such
 * cycle: the potentials min over j <= k of q D_j(v) - p j prove it optimal if they are feasible. After n rows
 * they are, because the walk to Karp's minimizing vertex contains an optimal cycle (Chaturvedi, McConnell
 * 2017); if they were infeasible even then, ls_cycle_settle would be called. */
#include "core/mem.h"
#include "core/wait.h"
#include "reference/cycles/cycle_solve.h"

#define FAR ((ls_i128)1 << 126)

typedef struct rows {
  const cycle_graph *c;
  ls_i128 **d;  /* d[k][v]: D_k(v), the least weight of a walk of exactly k edges to v */
  u32 **parent; /* parent[k][v]: the last edge of that walk */
  u32 *source;  /* [m]: the source of each edge */
  u32 *seen;    /* [n]: the vertices that the current walk has visited, see cycle_on_walk */
  u32 *path;    /* [n + 1] */
  ls_i128 *potential;
  u32 top; /* index of the last row computed */
} rows;

static ls_status add_row(rows *r) {
  const cycle_graph *c = r->c;
  const u32 k = r->top + 1;
  ls_i128 *to = r->d[k] = ls_malloc((size_t)c->n * sizeof *to);
  u32 *parent = r->parent[k] = ls_malloc((size_t)c->n * sizeof *parent);
  if (!to || !parent) return LS_EMEM;
  const ls_i128 *from = r->d[r->top];
  for (u32 v = 0; v < c->n; v++) to[v] = FAR;
  for (u32 u = 0; u < c->n; u++) {
    if (from[u] == FAR) continue;
    for (u32 e = c->off[u]; e < c->off[u + 1]; e++)
      if (from[u] + c->w[e] < to[c->to[e]]) {
        to[c->to[e]] = from[u] + c->w[e];
        parent[c->to[e]] = e;
      }
  }
  r->top = k;
  return LS_OK;
}

/* Offers the last cycle on the walk of `top` edges to v, if there is one. */
static ls_status cycle_on_walk(rows *r, u32 v, u32 stamp, cycle_best *best) {
  u32 x = v;
  if (r->d[r->top][v] == FAR) return LS_OK;
  /* seen[x] = stamp + k: the walk was at x before its k-th edge from the end */
  for (u32 k = 0;; k++) {
    if (r->seen[x] >= stamp) {
      const u32 first = r->seen[x] - stamp, count = k - first;
      reverse_edges(r->path + first, count);
      return ls_cycle_offer(best, r->c, r->path + first, count);
    }
    if (k == r->top) return LS_OK;
    r->seen[x] = stamp + k;
    r->path[k] = r->parent[r->top - k][x];
    x = r->source[r->path[k]];
  }
}

static bool proves(rows *r, const cycle_best *best) {
  const cycle_graph *c = r->c;
  ls_i128 *d = r->potential;
  for (u32 v = 0; v < c->n; v++) d[v] = FAR;
  for (u32 k = 0; k <= r->top; k++)
    for (u32 v = 0; v < c->n; v++) {
      if (r->d[k][v] == FAR) continue;
      const ls_i128 x = best->q * r->d[k][v] - best->p * k;
      if (x < d[v]) d[v] = x;
    }
  for (u32 u = 0; u < c->n; u++) {
    if (d[u] == FAR) return false;
    for (u32 e = c->off[u]; e < c->off[u + 1]; e++)
      if (d[c->to[e]] > d[u] + best->q * c->w[e] - best->p) return false;
  }
  return true;
}

static ls_status run(rows *r, cycle_best *best) {
  const u32 n = r->c->n;
  bool proved = false;
  ls_status st = LS_OK;
  u64 stamp = 1;
  for (u32 look = 1; !st && !proved && r->top < n; look = look < n / 2 ? 2 * look : n) {
    while (!st && r->top < look) {
      st = add_row(r);
      if (!st && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
    }
    for (u32 v = 0; v < n && !st; v++, stamp += n + 1) {
      if (stamp + n >= LS_NO_VERTEX) {
        for (u32 x = 0; x < n; x++) r->seen[x] = 0;
        stamp = 1;
      }
      st = cycle_on_walk(r, v, (u32)stamp, best);
    }
    proved = !st && best->found && proves(r, best);
  }
  if (!st) st = proved ? ls_cycle_keep(best, r->c, r->potential) : ls_cycle_settle(r->c, best);
  return st;
}

static ls_status solve(const cycle_graph *c, cycle_best *best) {
  const size_t n = c->n;
  rows r = {.c = c,
            .d = ls_calloc(n + 1, sizeof *r.d),
            .parent = ls_calloc(n + 1, sizeof *r.parent),
            .source = ls_malloc(c->m * sizeof *r.source),
            .seen = ls_calloc(n, sizeof *r.seen),
            .path = ls_malloc((n + 1) * sizeof *r.path),
            .potential = ls_malloc(n * sizeof *r.potential)};
  ls_status st = r.d && r.parent && r.source && r.seen && r.path && r.potential ? LS_OK : LS_EMEM;
  if (!st && !(r.d[0] = ls_malloc(n * sizeof **r.d))) st = LS_EMEM;
  if (!st) {
    for (u32 v = 0; v < n; v++) {
      r.d[0][v] = v ? FAR : 0;
      for (u32 e = c->off[v]; e < c->off[v + 1]; e++) r.source[e] = v;
    }
    st = run(&r, best);
  }
  for (size_t k = 0; k <= n && r.d && r.parent; k++) {
    ls_free(r.d[k]);
    ls_free(r.parent[k]);
  }
  void *all[] = {r.d, r.parent, r.source, r.seen, r.path, r.potential};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
  return st;
}

ls_status ls_hartmann_orlin(ls_graph *g, ls_cycle_kind kind, ls_cycle *out) {
  if (kind.ratio && g->t)
    return ls_fail(LS_EARG, "Hartmann and Orlin's algorithm finds cycle means, not ratios over times");
  return ls_cycle_solve(g, kind, solve, false, out);
}
