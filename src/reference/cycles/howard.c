/* Howard's policy iteration, tuned for one core.
 *
 * A policy is one out-edge of each vertex. Its cycles are found and compared exactly; lambda is the ratio of
 * the best one. The vertices that lead to that cycle get values, val(u) = val(succ(u)) + w - lambda t; then
 * every vertex chooses its best edge, with values updated in place, so that a sweep sees its own improvements
 * (Dasdan, Irani, Gupta 1999; the paper's Algorithm 2 keeps two arrays). Sweeps alternate between ascending
 * and descending order, because improvements propagate in the order of a sweep.
 *
 * Values are doubles, and an improvement must exceed their rounding error. If no improvement does, the values
 * of the policy are computed exactly. Then ls_cycle_spf either finds them feasible, which proves lambda; or
 * it finds a better cycle, from which the iteration continues. So the number of rounds is at most the number
 * of different cycle ratios. */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "reference/cycles/cycle_solve.h"

enum {
  PATIENCE = 100, /* after this many sweeps without a better cycle, the exact test is run */
  MANY = 64       /* if fewer than 1 in MANY vertices improve, the exact test, which has a queue, is faster */
};

typedef struct choice {
  f64 w, t;
  u32 to, edge;
} choice;

typedef struct howard {
  const cycle_graph *c;
  f64 *val;
  choice *policy;
  u32 *order; /* each vertex comes after its successor, except in a cycle the vertex before the root */
  u32 *cycle; /* the number of the cycle that each vertex leads to */
  u32 *path;
  u32 best;             /* the number of the best cycle */
  u32 root;             /* a vertex of the best cycle */
  f64 lambda, greatest; /* greatest: maximum of |val| */
  ls_i128 *exact;
} howard;

#define NONE LS_NO_VERTEX

static void choose(howard *h, u32 u, u64 e) {
  const cycle_graph *c = h->c;
  h->policy[u] = (choice){(f64)c->w[e], (f64)time_of(c, e), c->to[e], (u32)e};
}

static void first_policy(howard *h, const cycle_best *best) {
  const cycle_graph *c = h->c;
  f64 w = 0, t = 0;
  for (u64 e = 0; e < c->m && c->t; e++) w += (f64)c->w[e], t += (f64)c->t[e];
  const f64 lambda = best->found ? (f64)best->p / (f64)best->q : t > 0 ? w / t : 0;
  for (u32 u = 0; u < c->n; u++) {
    u64 least = c->off[u];
    for (u64 e = least + 1; e < c->off[u + 1]; e++) {
      const f64 cost = (f64)c->w[e] - lambda * (f64)time_of(c, e),
                least_cost = (f64)c->w[least] - lambda * (f64)time_of(c, least);
      if (cost < least_cost) least = e;
    }
    choose(h, u, least);
    h->val[u] = 0;
  }
}

/* Stores the edges of the policy's cycle through vertex `root` in h->path. Returns their number. */
static u64 list_cycle(howard *h, u32 root) {
  u64 count = 0;
  u32 v = root;
  do {
    h->path[count++] = h->policy[v].edge;
    v = h->policy[v].to;
  } while (v != root);
  return count;
}

/* Finds the policy's cycles and the order in which values are computed; sets h->best and h->root. *better: is
 * the best cycle better than all found before? */
static ls_status find_cycles(howard *h, cycle_best *best, bool *better) {
  const cycle_graph *c = h->c;
  u32 cycles = 0, ordered = 0;
  ls_i128 best_p = 0, best_q = 0;
  memset(h->cycle, 0xff, c->n * sizeof *h->cycle);
  const u32 walking = NONE - 1;
  for (u32 start = 0; start < c->n; start++) {
    if (h->cycle[start] != NONE) continue;
    u64 length = 0;
    u32 v = start;
    for (; h->cycle[v] == NONE; v = h->policy[v].to) {
      h->cycle[v] = walking;
      h->path[length++] = v;
    }
    u32 number = h->cycle[v];
    if (number == walking) { /* a new cycle, with root v */
      number = cycles++;
      ls_i128 p = 0, q = 0;
      u32 x = v;
      do {
        const u32 e = h->policy[x].edge;
        p += c->w[e];
        q += time_of(c, e);
        x = h->policy[x].to;
      } while (x != v);
      if (number == 0 || ratio_less(p, q, best_p, best_q)) {
        best_p = p;
        best_q = q;
        h->best = number;
        h->root = v;
      }
    }
    while (length) {
      h->order[ordered++] = h->path[--length];
      h->cycle[h->path[length]] = number;
    }
  }
  *better = !best->found || ratio_less(best_p, best_q, best->p, best->q);
  ls_status st = *better ? ls_cycle_offer(best, c, h->path, list_cycle(h, h->root)) : LS_OK;
  h->lambda = (f64)best->p / (f64)best->q;
  return st;
}

/* Computes the policy's values at lambda. Vertices that lead to a worse cycle get an infinite value, so that
 * they choose any edge towards the best cycle. Returns the number of these vertices. */
static u32 evaluate(howard *h) {
  f64 greatest = 0;
  u32 lost = 0;
  h->val[h->root] = 0;
  for (u32 i = 0; i < h->c->n; i++) {
    const u32 v = h->order[i];
    if (h->cycle[v] != h->best) {
      h->val[v] = INFINITY;
      lost++;
      continue;
    }
    if (v == h->root) continue;
    const choice *k = &h->policy[v];
    const f64 x = h->val[k->to] + (k->w - h->lambda * k->t);
    h->val[v] = x;
    if (fabs(x) > greatest) greatest = fabs(x);
  }
  h->greatest = greatest;
  return lost;
}

static inline __attribute__((always_inline)) bool improve_one(howard *h, u32 u, f64 tolerance, bool timed) {
  const cycle_graph *c = h->c;
  f64 least = INFINITY;
  u64 chosen = 0;
  for (u64 e = c->off[u]; e < c->off[u + 1]; e++) {
    const f64 cost = timed ? (f64)c->w[e] - h->lambda * (f64)c->t[e] : (f64)c->w[e];
    const f64 there = h->val[c->to[e]] + cost;
    if (there < least) least = there, chosen = e;
  }
  if (!timed) least -= h->lambda;
  if (!(least < h->val[u] - tolerance)) return false;
  h->val[u] = least;
  choose(h, u, chosen);
  return true;
}

static u32 improve(howard *h, bool down) {
  const u32 n = h->c->n;
  const f64 tolerance = (h->greatest + fabs(h->lambda)) * 0x1p-44;
  u32 improved = 0;
  if (h->c->t)
    for (u32 i = 0; i < n; i++) improved += improve_one(h, down ? n - 1 - i : i, tolerance, true);
  else
    for (u32 i = 0; i < n; i++) improved += improve_one(h, down ? n - 1 - i : i, tolerance, false);
  return improved;
}

/* Computes exact potentials at the ratio of `best`. Potentials are distances along edges, values are
 * distances to the root; so a potential is a negated value. Vertices that do not lead to the best cycle (yet)
 * start with their rounded value, if it is finite. */
static void make_exact(howard *h, const cycle_best *best) {
  const cycle_graph *c = h->c;
  const f64 scale = (f64)best->q;
  h->exact[h->root] = 0;
  for (u32 i = 0; i < c->n; i++) {
    const u32 v = h->order[i];
    const choice *k = &h->policy[v];
    if (v == h->root) continue;
    if (h->cycle[v] == h->best)
      h->exact[v] = h->exact[k->to] - (best->q * c->w[k->edge] - best->p * time_of(c, k->edge));
    else
      h->exact[v] = isinf(h->val[v]) ? 0 : -(ls_i128)(h->val[v] * scale);
  }
}

/* Makes the policy contain a cycle, whose edges are given in order. */
static void adopt(howard *h, const u32 *edges, u64 count) {
  const cycle_graph *c = h->c;
  for (u64 i = 0; i < count; i++) choose(h, c->to[edges[i ? i - 1 : count - 1]], edges[i]);
}

static ls_status iterate(howard *h, cycle_best *best) {
  ls_status st = LS_OK;
  int waited = 0;
  for (u32 sweep = 0; !st; sweep++) {
    bool better;
    st = find_cycles(h, best, &better);
    if (st) break;
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
    const u32 lost = evaluate(h);
    best->iterations++;
    waited = better ? 0 : waited + 1;
    const u32 improved = waited < PATIENCE ? improve(h, sweep & 1) : 0,
              few = better || lost ? 0 : h->c->n / MANY;
    if (improved > few) continue;
    make_exact(h, best);
    u64 count;
    st = ls_cycle_spf(h->c, best->p, best->q, NULL, h->exact, h->path, &count);
    if (!st && !count) return ls_cycle_keep(best, h->c, h->exact);
    if (!st) st = ls_cycle_offer(best, h->c, h->path, count);
    if (!st) adopt(h, h->path, count);
    waited = 0;
  }
  return st;
}

static ls_status solve(const cycle_graph *c, cycle_best *best) {
  const size_t n = c->n;
  howard h = {.c = c,
              .val = ls_malloc(n * sizeof *h.val),
              .policy = ls_malloc(n * sizeof *h.policy),
              .order = ls_malloc(n * sizeof *h.order),
              .cycle = ls_malloc(n * sizeof *h.cycle),
              .path = ls_malloc(n * sizeof *h.path),
              .exact = ls_malloc(n * sizeof *h.exact)};
  ls_status st = h.val && h.policy && h.order && h.cycle && h.path && h.exact ? LS_OK : LS_EMEM;
  if (!st) {
    first_policy(&h, best);
    st = iterate(&h, best);
  }
  void *all[] = {h.val, h.policy, h.order, h.cycle, h.path, h.exact};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
  return st;
}

ls_status ls_howard(ls_graph *g, ls_cycle_kind kind, ls_cycle *out) {
  return ls_cycle_solve(g, kind, solve, false, out);
}
