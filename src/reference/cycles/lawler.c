/* Lawler 1976: binary search for the greatest feasible lambda, at which no cycle is negative with weights w -
 * lambda t.
 *
 * The upper end is always the ratio of a cycle. Once the ends are closer than two different ratios can be, or
 * the interval gets too small for 128 bits, the upper end itself is tested exactly: if it is feasible, it is
 * the optimum; else it is replaced by the ratio of the negative cycle found, which is strictly lower. This
 * ends, because there are finitely many ratios. */
#include "core/mem.h"
#include "reference/cycles/cycle_solve.h"

typedef struct search {
  const cycle_graph *c;
  ls_i128 *d;
  u32 *edges;
} search;

/* *feasible: is p/q feasible? If not, offers the negative cycle. */
static ls_status test(const search *s, ls_i128 p, ls_i128 q, cycle_best *best, bool *feasible) {
  u64 count;
  for (u32 v = 0; v < s->c->n; v++) s->d[v] = 0;
  ls_status st = ls_cycle_spf(s->c, p, q, NULL, s->d, s->edges, &count);
  if (!st && count) st = ls_cycle_offer(best, s->c, s->edges, count);
  *feasible = count == 0;
  best->iterations++;
  return st;
}

/* Offers the cycle that is found by following the first edge of each vertex: any cycle will do as a start. */
static ls_status first_cycle(const search *s, cycle_best *best) {
  const cycle_graph *c = s->c;
  u32 v = 0;
  u64 from = 0, count = 0;
  for (u32 x = 0; x < c->n; x++) s->d[x] = -1;
  for (; s->d[v] < 0; v = c->to[c->off[v]]) {
    s->d[v] = count;
    s->edges[count++] = c->off[v];
  }
  from = (u64)s->d[v];
  return ls_cycle_offer(best, c, s->edges + from, count - from);
}

static int bits_of(ls_i128 x) {
  int bits = 0;
  for (ls_i128 y = x < 0 ? -x : x; y; y >>= 1) bits++;
  return bits;
}

static ls_i128 floor_div(ls_i128 a, ls_i128 b) { return a / b - (a % b < 0); }

static ls_status by_halves(const search *s, cycle_best *best) {
  const cycle_graph *c = s->c;
  const ls_i128 times = (ls_i128)c->n * c->most_t; /* the greatest possible denominator of a ratio */
  /* The lower end is low / 2^k. Distances are up to n (2^k max|w| + |p| max t), and ratios up to n max|w|. */
  int most = 2 * bits_of(times) + 1,
      room = 122 - bits_of(c->n) - bits_of(c->most_w) - (c->t ? bits_of(times) : 1);
  if (most > room) most = room;
  ls_i128 low = -(ls_i128)c->most_w * (c->t ? c->n : 1); /* the time of a cycle is at least 1 */
  ls_status st = LS_OK;
  for (int k = 0; k <= most && !st;) {
    const ls_i128 high = floor_div(best->p * ((ls_i128)1 << k), best->q);
    if (high - low <= 1) {
      low *= 2; /* double the resolution */
      k++;
      continue;
    }
    bool feasible;
    const ls_i128 middle = low + (high - low) / 2;
    st = test(s, middle, (ls_i128)1 << k, best, &feasible);
    if (feasible) low = middle;
  }
  return st;
}

static ls_status solve(const cycle_graph *c, cycle_best *best) {
  search s = {c, ls_malloc((size_t)c->n * sizeof *s.d), ls_malloc((size_t)c->n * sizeof *s.edges)};
  ls_status st = s.d && s.edges ? first_cycle(&s, best) : LS_EMEM;
  if (!st) st = by_halves(&s, best);
  if (!st) st = ls_cycle_settle(c, best);
  ls_free(s.d);
  ls_free(s.edges);
  return st;
}

ls_status ls_lawler(ls_graph *g, ls_cycle_kind kind, ls_cycle *out) {
  return ls_cycle_solve(g, kind, solve, false, out);
}
