/* Sequential textbook algorithms, the references for results and speed, and certificate checks. Host only;
 * none shares code with a kernel. */
#ifndef LS_REFERENCE_REFERENCE_H
#define LS_REFERENCE_REFERENCE_H

#include "data/graph.h"
#include "data/reduce.h"

/* Strongly connected components: Tarjan 1972, with an explicit stack. id, u32[n], gets component numbers from
 * 0 in reverse topological order (a component's successors have smaller numbers). */
ls_status ls_tarjan(ls_graph *g, u32 *id, u32 *count);

/* A claim about strongly connected components. A class is the set of vertices with one label. */
typedef struct ls_scc_claim {
  const u32 *id;    /* [n]: the labels */
  bool named;       /* is each label claimed to be a vertex of its class? */
  const u32 *sizes; /* [count]: the sizes of the classes by ascending label; NULL: not claimed */
  u64 count;
} ls_scc_claim;

/* Checks by an independent route that the classes are the strongly connected components: every class is
 * strongly connected (a forward and a backward search inside it), and the graph of classes is acyclic (Kahn);
 * then the rest of the claim. LS_EARG names the first violation. *classes (may be NULL): the number of
 * classes. */
ls_status ls_check_scc(ls_graph *g, const ls_scc_claim *claim, u32 *classes);

/* Does s reach a cycle of negative weight (s = LS_NO_VERTEX: is there one anywhere)? Exact for reals too,
 * because the search uses 128-bit integers. LS_EOVERFLOW if the exponents of the real weights differ too much
 * for 128-bit integers. parent (may be NULL) is a tree from s; if its paths are the shortest, the search is
 * short. */
typedef struct ls_negative {
  bool found;
  u32 vertex;     /* a vertex of the cycle */
  char text[320]; /* "1 -> 2 -> 1 (2 edges) weighs -0.5"; a long cycle is shortened */
} ls_negative;
ls_status ls_negative_cycle(ls_graph *g, u32 s, const u32 *parent, ls_negative *out);
/* The final status of a search for distances from s whose own status is st: LS_EARG names the negative cycle
 * that s reaches; LS_EOVERFLOW if st is LS_EARG, but there is no such cycle; else st. */
ls_status ls_settle_negative(ls_graph *g, u32 s, ls_status st);

/* Shortest distances from s. ls_dijkstra uses a heap, but calls ls_bellman_ford if a weight is negative. dist
 * is i64[n] for integer weights (unreachable: INT64_MAX) and for unweighted graphs, whose edges count 1;
 * f64[n] for reals (unreachable: +inf). parent is u32[n] (LS_NO_VERTEX: none). LS_EARG if a negative cycle is
 * reachable, which the message names; LS_EOVERFLOW if a distance does not fit its type. With reals,
 * Bellman-Ford regards a path as shorter only if the difference exceeds the rounding error of its last sum;
 * whether a cycle is negative is then decided exactly. */
ls_status ls_dijkstra(ls_graph *g, u32 s, void *dist, u32 *parent);
ls_status ls_bellman_ford(ls_graph *g, u32 s, void *dist, u32 *parent);

/* The same by delta-stepping in the form of Lesnikov and Chernoskutov 2016, with buckets of width delta: the
 * sequential form if threads is 1, else the parallel one (0: all threads). LS_EARG if a weight is negative,
 * if delta is not positive (for integer weights: not a positive integer), or if more than 2^28 buckets are
 * needed. */
ls_status ls_delta_stepping(ls_graph *g, u32 s, f64 delta, int threads, void *dist, u32 *parent);

/* The same distances by passes over all edges. threads = 0: all threads. */
ls_status ls_bellman_ford_passes(ls_graph *g, u32 s, int threads, void *dist);

/* All-pairs distances by Johnson's algorithm, with parallel searches (threads = 0: all threads): d is
 * i64[n*n], or f64[n*n] if the weights are real. LS_EARG names a negative cycle; LS_EOVERFLOW if a sum does
 * not fit 64 bits. */
ls_status ls_johnson(ls_graph *g, int threads, void *d);

/* A claim about the distances from a source, or from the nearest of several, and a tree. If `limited`, only
 * distances up to a limit are claimed, and all others have the value for unreachable. */
typedef struct ls_sssp_claim {
  const u32 *sources;
  u64 count;
  ls_dtype type;
  const void *dist;
  const u32 *parent; /* NULL: not given */
  bool limited;
  ls_number limit; /* real if `type` is */
  bool unit;       /* each edge counts 1, whatever its weight */
  f64 tol;         /* reals: the relative error that an edge may have; <= 0: 8 epsilon */
} ls_sssp_claim;
/* Checks that dist (of `type`; unreachable: the type's maximum, for reals +inf) has the shortest distances,
 * and that parent is a tree of tight edges: the triangle inequality on every edge; a tight path to every
 * reached vertex, found by a search from the sources over tight edges, which also handles cycles of weight 0;
 * unreached vertices must be unreachable. LS_EARG names the first violation, in the order of the search.
 * Integers must be exact; with reals an edge may have an error of 8 epsilon of `type`, or of tol, relative to
 * |dist[v]| + |w|, because kernels compute sums in that type. */
ls_status ls_check_sssp_claim(ls_graph *g, const ls_sssp_claim *claim);
/* Checks the claim's distances and returns the tree by which the search proves them: parent[v]; LS_NO_VERTEX
 * for its roots and for unreached vertices. The claim's own tree is ignored. */
ls_status ls_sssp_tree(ls_graph *g, const ls_sssp_claim *claim, u32 *parent);

/* All-pairs distances by the textbook triple loop over an n x n matrix of `type` (i16, i32, i64, f32, f64),
 * in place. d is min-plus: the type's maximum (integers) or +inf (reals) means no path; the diagonal starts
 * at min(0, self loop). LS_EARG names a vertex on a negative cycle, LS_EOVERFLOW if a distance does not fit;
 * the contents of d are then undefined. */
ls_status ls_floyd_warshall(u64 n, ls_dtype type, void *d);
/* Fills d with rows [first, past) of the matrix of edges: the least weight of parallel edges; min(0, self
 * loop) on the diagonal; else no path. LS_EARG or LS_EOVERFLOW if a weight does not fit `type`. */
ls_status ls_distance_matrix(ls_graph *g, ls_dtype type, u32 first, u32 past, void *d);
/* Checks that d is the all-pairs distance matrix of g: every row must satisfy the conditions of
 * ls_check_sssp_claim. For reals `tol` replaces 8 epsilon; if it is negative, n epsilon (at least 16 epsilon)
 * is used, because Floyd-Warshall adds in any order. A graph with a negative cycle has no such matrix. */
ls_status ls_check_fw(ls_graph *g, ls_dtype type, const void *d, f64 tol);

/* Parses the name of a semiring, "min-plus", "max-plus", "max-min" or "or-and"; false: unknown name. */
typedef enum ls_semiring { LS_MIN_PLUS, LS_MAX_PLUS, LS_MAX_MIN, LS_OR_AND } ls_semiring;
bool ls_semiring_parse(const char *name, ls_semiring *out);
/* The closure I + A + A*A + ... of the n x n matrix d of `type` (i16, i32, i64, f32, f64), in place, by the
 * triple loop. No path is: for min-plus the type's greatest value or +inf; for max-plus and max-min its least
 * value or -inf; for or-and 0. No element may be NaN. LS_EARG if a cycle improves paths without end,
 * LS_EOVERFLOW if the weight of a path does not fit; the contents of d are then undefined. */
ls_status ls_closure(u64 n, ls_dtype type, ls_semiring s, void *d);
/* Sets d[i * n + j] to the greatest weight of a path from i to j in the acyclic graph g, in `type` (i32, i64,
 * f32, f64); to the type's least value, or -inf, if there is no path. Goto 2011, on one CPU. LS_EARG if there
 * is a cycle, LS_EOVERFLOW. */
ls_status ls_kleene(ls_graph *g, ls_dtype type, void *d);

#endif
