/* Code shared by the cycle algorithms: the graph with integer weights to be minimised, its components, and a
 * search for negative cycles. */
#ifndef LS_REFERENCE_CYCLE_SOLVE_H
#define LS_REFERENCE_CYCLE_SOLVE_H

#include "reference/cycles/cycle.h"

/* A graph whose least cycle ratio is sought (for the greatest, weights are negated): the whole graph or a
 * component of it. */
typedef struct cycle_graph {
  u32 n;
  u64 m;
  const u32 *off, *to;
  const i64 *w;
  const i64 *t;       /* NULL: every edge takes 1 */
  const u32 *vertex;  /* the number of a vertex in the whole graph; NULL: the same */
  const u32 *edge;    /* the index of an edge in the whole graph; NULL: the same */
  i64 most_w, most_t; /* the greatest |w| and t of the whole graph */
} cycle_graph;

static inline i64 time_of(const cycle_graph *c, u64 e) { return c->t ? c->t[e] : 1; }

/* The whole graph, prepared by ls_cycle_prepare; owns w and t. */
typedef struct cycle_problem {
  cycle_graph c;
  i64 *w, *t;
  f64 unit; /* the original weight is w * unit; 1 for integers */
} cycle_problem;

/* Does n (q max|w| + |p| max t), plus a potential, fit 124 bits? */
bool ls_cycle_fits(const cycle_graph *c, ls_i128 p, ls_i128 q);
/* Checks that the potentials are so small that a sum for which ls_cycle_fits is true can be added to them.
 * LS_EARG names the first potential that is too large. */
ls_status ls_cycle_range(const ls_i128 *d, u32 n);

ls_status ls_cycle_prepare(ls_graph *g, ls_cycle_kind kind, cycle_problem *out);
void ls_cycle_unprepare(cycle_problem *p);

/* The best cycle so far. */
typedef struct cycle_best {
  bool found;
  ls_i128 p, q; /* weight and time of the cycle: p/q is not reduced */
  u32 *edges;   /* indices in the whole graph */
  u64 count, room;
  u64 iterations; /* of the solver, in all components */
  ls_i128 *d;    /* [n] of the whole graph: potentials from proofs, in units of 1/q, with a q per component */
  ls_i128 *over; /* [overs]: the q of each component */
  u32 *which;    /* [n]: 1 + the index in `over` of the vertex's q; 0: it has no potential yet */
  u32 overs, overs_room;
} cycle_best;

/* a/b < c/d, for b, d > 0. */
static inline bool ratio_less(ls_i128 a, ls_i128 b, ls_i128 c, ls_i128 d) { return a * d < c * b; }

static inline void reverse_edges(u32 *edges, u64 count) {
  for (u64 i = 0; i < count / 2; i++) {
    const u32 swap = edges[i];
    edges[i] = edges[count - 1 - i];
    edges[count - 1 - i] = swap;
  }
}

/* Makes a closed walk of c's edges the best cycle if it is better; its time must be positive. */
ls_status ls_cycle_offer(cycle_best *best, const cycle_graph *c, const u32 *edges, u64 count);

/* Stores the potentials d, which prove that c contains no better cycle than the best. */
ls_status ls_cycle_keep(cycle_best *best, const cycle_graph *c, const ls_i128 *d);

/* A solver offers the optimal cycle of a component, unless `best` is better. A component has at least two
 * vertices. */
typedef ls_status (*cycle_solver)(const cycle_graph *c, cycle_best *best);
/* Runs a solver on each component of g, or, if `whole`, once on the whole graph. */
ls_status ls_cycle_solve(ls_graph *g, ls_cycle_kind kind, cycle_solver solve, bool whole, ls_cycle *out);

/* Exact shortest paths with costs q w - p t: lowers the start values in d until no edge violates d(v) <= d(u)
 * + cost, or until a negative cycle is found. *count becomes the number of edges of the cycle, or 0 if there
 * is none, and `edges` (room for n) gets these edges in order. Bellman, Ford, Moore with Tarjan's subtree
 * disassembly (1981); O(n m) at worst, O(m) if the start is feasible. If `part` is not NULL, only edges u ->
 * v with part[u] = part[v] are used. */
ls_status ls_cycle_spf(const cycle_graph *c, ls_i128 p, ls_i128 q, const u32 *part, ls_i128 *d, u32 *edges,
                       u64 *count);
/* Replaces the best cycle by better ones of c until there are none, and stores the proof: for algorithms that
 * do not produce a proof themselves. */
ls_status ls_cycle_settle(const cycle_graph *c, cycle_best *best);

#endif
