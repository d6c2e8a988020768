/* What the cycle algorithms share: the graph as integers to be minimised, its components, a search for
 * negative cycles. */
#ifndef LS_REFERENCE_CYCLE_SOLVE_H
#define LS_REFERENCE_CYCLE_SOLVE_H

#include "reference/cycle.h"

/* A graph of least ratios (for greatest ones the weights are negated): a whole one or a component. */
typedef struct cycle_graph {
  u32 n;
  u64 m;
  const u32 *off, *to;
  const i64 *w;
  const i64 *t;       /* NULL: every edge takes 1 */
  const u32 *vertex;  /* and a vertex's number there; likewise */
  const u32 *edge;    /* an edge's index in the whole graph; NULL: the same */
  i64 most_w, most_t; /* greatest |w| and t of the whole graph */
} cycle_graph;

static inline i64 time_of(const cycle_graph *c, u64 e) { return c->t ? c->t[e] : 1; }

/* The whole graph prepared; owns w and t. */
typedef struct cycle_problem {
  cycle_graph c;
  i64 *w, *t;
  f64 unit; /* a weight is w * unit; 1 for integers */
} cycle_problem;

/* Do n (q max|w| + |p| max t), and a potential beside it, stay within 124 bits? */
bool ls_cycle_fits(const cycle_graph *c, ls_i128 p, ls_i128 q);
/* Potentials whose differences leave room for such a sum; LS_EARG names the first that does not. */
ls_status ls_cycle_range(const ls_i128 *d, u32 n);

ls_status ls_cycle_prepare(ls_graph *g, ls_cycle_kind kind, cycle_problem *out);
void ls_cycle_unprepare(cycle_problem *p);

/* The best cycle so far. */
typedef struct cycle_best {
  bool found;
  ls_i128 p, q; /* sums over the cycle, not reduced */
  u32 *edges;   /* in the whole graph */
  u64 count, room;
  ls_i128 *d;    /* [n] of the whole graph: potentials that were found with a proof, over */
  ls_i128 *over; /* these q, of which */
  u32 *which;    /* [n] tells each vertex's; 0: none was found */
  u32 overs, overs_room;
} cycle_best;

/* a/b < c/d, for b, d > 0. */
static inline bool ratio_less(ls_i128 a, ls_i128 b, ls_i128 c, ls_i128 d) { return a * d < c * b; }

/* Keeps a closed walk of c's edges if it is better than the best; its time must be positive. */
ls_status ls_cycle_offer(cycle_best *best, const cycle_graph *c, const u32 *edges, u64 count);

/* Keeps the potentials d by which c is proved to hold nothing better than the best. */
ls_status ls_cycle_keep(cycle_best *best, const cycle_graph *c, const ls_i128 *d);

/* Improves `best` by the component's optimal cycle. A component has at least two vertices. */
typedef ls_status (*cycle_solver)(const cycle_graph *c, cycle_best *best);
ls_status ls_cycle_solve(ls_graph *g, ls_cycle_kind kind, cycle_solver solve, bool whole, ls_cycle *out);

/* Exact shortest paths over costs q w - p t from the start values in d, which it lowers until no edge
 * violates d(v) <= d(u) + cost, or until it meets a negative cycle: *count edges of it are then in `edges`
 * (room for n), in order. count = 0: none. Bellman, Ford, Moore with Tarjan's subtree disassembly (1981); O(n
 * m) at worst, O(m) where the start is feasible. part (NULL: none) keeps to edges inside parts of equal
 * numbers. */
ls_status ls_cycle_spf(const cycle_graph *c, ls_i128 p, ls_i128 q, const u32 *part, ls_i128 *d, u32 *edges,
                       u64 *count);
/* Replaces the best by better cycles of c until there are none: a proof for whoever can't give one himself.
 */
ls_status ls_cycle_settle(const cycle_graph *c, cycle_best *best);

#endif
