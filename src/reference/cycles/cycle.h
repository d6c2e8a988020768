/* Optimal cycle means and ratios, sequential and exact: the references for the results of devices, and proofs
 * of optimality.
 *
 * The mean of a cycle is its weight divided by its number of edges; its ratio is the weight divided by the
 * sum of its edges' times (ls_graph's t; without times every edge takes 1, so ratio and mean are equal). Sums
 * and comparisons use 128-bit integers; if 4 n^2 max|w| max t needs more than 125 bits, the result is
 * LS_EOVERFLOW, before anything is computed. Real weights are rounded to integer multiples of a power
 * of two, which is at most 2^-41 of the greatest absolute weight. */
#ifndef LS_REFERENCE_CYCLE_H
#define LS_REFERENCE_CYCLE_H

#include "data/graph.h"

typedef __int128 ls_i128;

typedef struct ls_cycle_kind {
  bool max;   /* find the greatest instead of the least */
  bool ratio; /* divide by the times instead of the number of edges */
} ls_cycle_kind;

typedef struct ls_cycle {
  bool found; /* false: the graph has no cycle, and the other fields are meaningless */
  i64 p, q;   /* integer weights: lambda = p/q in lowest terms, q > 0, for the stored weights, ignoring the
               * graph's scale. Real weights: 0 */
  f64 mean;   /* p/q, or for reals the mean of the cycle below */
  u64 iterations; /* Howard: evaluations of a policy; YTO: moves in the tree; Lawler: values of lambda that
                     are tested; others: 0 */
  u64 count;
  u32 *edges;     /* of a critical cycle, in order; from ls_malloc. NULL if there is none */
  ls_i128 *start; /* [n], from ls_malloc: a first guess for ls_feasible_potentials; NULL: none */
} ls_cycle;

void ls_cycle_free(ls_cycle *c); /* frees edges and start, not c itself */

/* The algorithms give the same results and differ only in speed. LS_EARG if the ratio is requested and a
 * cycle takes no time (the message names it); LS_EOVERFLOW as above, or if p or q does not fit 64 bits;
 * LS_EMEM; LS_EINTERRUPTED. All but ls_yto process one strongly connected component after another, and skip a
 * component if its lightest edge shows that it contains no cycle better than the best so far.
 *
 * Howard 1960, policy iteration: Barnat et al. 2011, Algorithm 2, with values updated in place (Dasdan, Irani
 * and Gupta 1999); it iterates with doubles and verifies the result with exact potentials. */
ls_status ls_howard(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Young, Tarjan and Orlin 1991: the parametric shortest-path tree, with a heap of vertices. */
ls_status ls_yto(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Lawler 1976: binary search, with a search for a negative cycle at each step. */
ls_status ls_lawler(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Karp 1978, always O(n m) time, in O(n) memory by running the recurrence twice. Means only. */
ls_status ls_karp(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);
/* Hartmann and Orlin 1993: Karp's recurrence with early termination, once a cycle on one of its walks is
 * proved optimal. O(n^2) memory at worst. Means only. */
ls_status ls_hartmann_orlin(ls_graph *g, ls_cycle_kind kind, ls_cycle *out);

/* Integer weights: the weight of the listed edges divided by their time (by their number, if kind.ratio is
 * not set), as p/q in lowest terms, q > 0. LS_EARG if an edge is not below m or the time is 0; LS_EOVERFLOW
 * if p or q does not fit 64 bits. */
ls_status ls_cycle_ratio(ls_graph *g, ls_cycle_kind kind, const u32 *list, u64 count, i64 *p, i64 *q);

/* LS_EARG if a time is negative, or if a cycle takes no time and so has no ratio; the message names it. */
ls_status ls_check_times(ls_graph *g);

/* Computes potentials that prove lambda = p/q: d(v) <= d(u) + q w - p t on every edge u -> v, including those
 * between components (max: d(v) >= ...). Integer weights only. The array `start` (NULL: all 0) is a first
 * guess. If it satisfies the inequalities inside the components, the time is linear; otherwise it is repaired
 * by exact relaxation. LS_EARG if a cycle is better than p/q (the message names it); LS_EOVERFLOW if n (q
 * max|w| + |p| max t) or the guess needs more than 124 bits. */
ls_status ls_feasible_potentials(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *start,
                                 ls_i128 *d);

/* Given such potentials, sets the elements of `critical`, u8[m], to 1 for the edges of optimal cycles (tight
 * edges inside a component of the graph of tight edges), else 0; *out becomes the canonical critical cycle
 * (from the smallest vertex of the critical subgraph, follow the lowest critical edge until a vertex
 * repeats), listed from its smallest vertex. critical may be NULL. LS_EARG if the potentials prove nothing or
 * no cycle is tight. */
ls_status ls_critical_subgraph(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, u8 *critical,
                               ls_cycle *out);

/* Computes the slack of every edge, d(u) + q w - p t - d(v) (max: d(v) - ...), which is 0 for tight edges.
 * `type` is LS_I64 (LS_EOVERFLOW if a slack does not fit) or LS_F64 (slacks are rounded). ls_cycle_slack_real
 * is for real weights: its slacks are in the unit of the weights, at the given mean. */
ls_status ls_cycle_slack(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d, ls_dtype type,
                         void *out);
ls_status ls_cycle_slack_real(ls_graph *g, ls_cycle_kind kind, f64 mean, const ls_i128 *d, f64 unit,
                              f64 *out);

/* How far the weight of edge e can fall and rise before lambda changes: by at most *fall / q and *rise / q. A
 * negative result means no limit (both, if the edge is on no cycle). `critical` is the array computed by
 * ls_critical_subgraph. For max, *fall and *rise are exchanged. */
ls_status ls_cycle_sensitivity(ls_graph *g, ls_cycle_kind kind, i64 p, i64 q, const ls_i128 *d,
                               const u8 *critical, u64 e, ls_i128 *fall, ls_i128 *rise);

/* Checks the claim that lambda is the optimum, without sharing code with the functions above: the edges must
 * be a closed walk of mean lambda, and d must prove lambda on every edge; found = false claims that there is
 * no cycle. Real weights: a potential is d * unit (a power of two), and the claim holds if the mean of the
 * cycle and the bound that d proves, both rounded outward, differ by at most 1e-12 max|w|; *gap becomes their
 * difference divided by max|w|. LS_EARG names the first violation. */
ls_status ls_check_cycle(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d);
ls_status ls_check_cycle_real(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim, const ls_i128 *d,
                              f64 unit, f64 *gap);

/* For integer weights: checks only that the edges are a closed walk of mean p/q, not that p/q is optimal. */
ls_status ls_check_walk(ls_graph *g, ls_cycle_kind kind, const ls_cycle *claim);

/* Computes potentials for real weights, in units of *unit. Weights are rounded as above; starting from the
 * given cycle, the best cycle for the rounded weights is found, and the potentials are feasible at its ratio,
 * up to rounding. Whether they prove the given cycle optimal within the tolerance is for ls_check_cycle_real
 * to decide. */
ls_status ls_real_potentials(ls_graph *g, ls_cycle_kind kind, const ls_cycle *c, const ls_i128 *start,
                             ls_i128 *d, f64 *unit);

/* Reads n potentials as 128-bit integers. type: LS_U64, pairs of words, low half first (each must be below
 * 2^126; *out is then `from` itself); LS_I64; LS_F64, finite numbers, of which the greatest gets about 100
 * bits: *unit, a power of two, becomes their unit. *owned: *out is from ls_malloc, even if the call fails. */
ls_status ls_potentials_widen(ls_dtype type, const void *from, u32 n, ls_i128 **out, bool *owned, f64 *unit);
/* If all n potentials fit 64 bits, stores them as i64[n] in their place. Returns whether they do. */
bool ls_potentials_narrow(ls_i128 *d, u64 n);

/* Copies a cycle so that it begins with the edge that leaves its smallest vertex; to: the graph's targets. */
void ls_cycle_rotate(const u32 *to, const u32 *edges, u64 count, u32 *copy);

/* choice[n]: the edge that each vertex chooses; to[m]: the edges' targets. from[names]: what an edge is
 * called in a cycle; NULL: by its index. */
typedef struct ls_choices {
  const u32 *choice, *to, *from;
  u64 n, m, names;
} ls_choices;
/* Follows the choices from start until they lead back to it. Returns the number of edges; 0 if there are more
 * than `most`, or if they do not lead back. `edges`, if not NULL, gets the edges. */
u64 ls_choices_cycle(const ls_choices *c, u64 start, u64 most, u32 *edges);

#endif
