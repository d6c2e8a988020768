/* Optimal cycle means and ratios, sequential and exact: what the device's are held against, and the proofs.
 *
 * The mean of a cycle is its weight over its number of edges, its ratio the weight over the sum of its edges'
 * times (ls_graph's t; without times every edge takes 1, so that ratio and mean are one). Sums and
 * comparisons are made in 128-bit integers; where 4 n^2 max|w| max t leaves 125 bits the answer is
 * LS_EOVERFLOW, before anything is computed. Real weights are put on a grid of a power of two, as fine as
 * those bits allow (below 2^-41 of the greatest weight, mostly exact), and solved as integers. */
#ifndef LS_REFERENCE_CYCLE_H
#define LS_REFERENCE_CYCLE_H

#include "data/graph.h"

typedef __int128 ls_i128;

typedef struct ls_cycle_kind {
  bool max;   /* the greatest instead of the least */
  bool ratio; /* over times instead of edges */
} ls_cycle_kind;

typedef struct ls_cycle {
  bool found; /* false: the graph has no cycle, and the rest says nothing */
  i64 p, q;   /* integer weights: lambda = p/q in lowest terms, q > 0; of the stored weights, whatever the
               * scale.   Real weights: 0 */
  f64 mean;   /* p/q, or for reals the mean of the cycle below */
  u64 count;
  u32 *edges;     /* of a critical cycle, in order; from ls_malloc. NULL where there is none */
  ls_i128 *start; /* [n], from ls_malloc, or NULL: what the algorithm knows of potentials, to begin with */
} ls_cycle;

void ls_cycle_free(ls_cycle *c); /* its edges and start */

/* The algorithms differ in nothing but time. LS_EARG where the ratio is asked for and a cycle takes no time
 * (the message names it); LS_EOVERFLOW, also where p or q leaves 64 bits; LS_EMEM; LS_EINTERRUPTED. Each
 * works on one strongly connected component after the other and skips those whose lightest edge rules them
 * out.
 *
 * Howard 1960, policy iteration: Barnat et al. 2011, Algorithm 2, in place as Dasdan, Irani and Gupta 1999 do
 * it; steered by doubles, decided by exact potentials. */
ls_status ls_howard(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Young, Tarjan and Orlin 1991: the parametric shortest-path tree, with a heap of vertices. */
ls_status ls_yto(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Lawler 1976: binary search, with a search for a negative cycle at each step. */
ls_status ls_lawler(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Karp 1978, O(n m) always, in O(n) memory by running the recurrence twice. Means only. */
ls_status ls_karp(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Hartmann and Orlin 1993: Karp's recurrence, which ends once a cycle on its walks is proved optimal. O(n^2)
 * memory at worst. Means only. */
ls_status ls_hartmann_orlin(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);

/* Whole weights: what the listed edges weigh over what they take (count them, where kind.ratio is not set),
 * in lowest terms, q > 0. LS_EARG where an edge is not below m or all take no time; LS_EOVERFLOW where p or q
 * leaves 64 bits. */
ls_status ls_cycle_ratio(ls_graph *g, ls_cycle_kind kind, const u32 *list, u64 count, i64 *p, i64 *q);

/* LS_EARG where a time is negative, or a cycle takes none and has no ratio; the message names it. */
ls_status ls_check_times(ls_graph *g);

/* Potentials that prove lambda = p/q: d(v) <= d(u) + q w - p t on every edge u -> v, those between components
 * too (max: d(v) >= ...). Integer weights only. start (NULL: all 0) is a guess: where it holds inside the
 * components the work is linear, else it is repaired by exact relaxation. LS_EARG, with a cycle, where a
 * better one than p/q exists; LS_EOVERFLOW where n (q max|w| + |p| max t) or the guess leaves 124 bits. */
ls_status ls_feasible_potentials(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *start,
                                 ls_i128 *d);

/* Given such potentials: critical u8[m] marks the edges of optimal cycles (tight edges inside a component of
 * the tight edges' graph); *out becomes the canonical critical cycle (from the smallest vertex of the
 * critical subgraph follow the lowest critical edge until a vertex repeats), listed from its smallest vertex.
 * critical may be NULL. LS_EARG where the potentials prove nothing or no cycle is tight. */
ls_status ls_critical_subgraph(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, u8 *critical,
                               ls_cycle *out);

/* Every edge's slack, d(u) + q w - p t - d(v) (max: d(v) - ...), 0 where it is tight: as i64, or LS_EOVERFLOW
 * where one leaves 64 bits; as f64 rounded. For reals in the weights' unit, at the given mean. */
ls_status ls_cycle_slack(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, ls_dtype type,
                         void *out);
ls_status ls_cycle_slack_real(ls_graph *g, ls_cycle_kind kind, f64 mean, const ls_i128 *d, f64 unit,
                              f64 *out);

/* How far the weight of edge e can fall and rise before lambda changes: by at most `fall` / q and `rise` / q.
 * Negative: without limit (or, where the edge lies on no cycle, neither ever changes it). `critical` is that
 * of ls_critical_subgraph. For max the two change places. */
ls_status ls_cycle_sensitivity(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d,
                               const u8 *critical, u64 e, ls_i128 *fall, ls_i128 *rise);

/* Is lambda the optimum, as claimed? Checks, sharing nothing with the above, that the edges are a closed walk
 * of that mean and that d proves it on every edge; found = false claims that there is no cycle. Real weights:
 * a potential is d * unit (a power of two), and the claim holds if the cycle's mean and the bound that d
 * proves, both rounded outward, are within 1e-12 of the greatest |w|; *gap becomes their distance over it.
 * Names the first violation. */
ls_status ls_check_cycle(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d);
ls_status ls_check_cycle_real(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d,
                              f64 unit, f64 *gap);

/* Potentials for real weights, in units of *unit: feasible, up to the grid's rounding, at the ratio of the
 * best cycle on the grid, which is sought from the one given. What they prove of that one is for
 * ls_check_cycle_real to say: it may be worse by as much as reals are allowed to be. */
ls_status ls_real_potentials(ls_graph *g, ls_cycle_kind kind, const ls_cycle *c, const ls_i128 *start,
                             ls_i128 *d, f64 *unit);

#endif
