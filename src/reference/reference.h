/* The sequential textbook algorithms that results and speed are held against, and the certificate checks.
 * Host only; none shares code with a kernel. */
#ifndef LS_REFERENCE_REFERENCE_H
#define LS_REFERENCE_REFERENCE_H

#include "data/graph.h"
#include "data/reduce.h"

/* Tarjan 1972, with an explicit stack. id u32[n]: component numbers 0.. in reverse topological order
 * (a component's successors have smaller numbers). */
ls_status ls_tarjan(ls_graph *g, u32 *id, u32 *count);

/* What is said of components. */
typedef struct ls_scc_claim {
  const u32 *id;    /* [n]: any labels below 2^32; */
  bool named;       /* or else each is a vertex of its class */
  const u32 *sizes; /* [count]: the classes' sizes by ascending label; NULL: nothing is said of them */
  u64 count;
} ls_scc_claim;

/* Another route to the same claim: do equal labels mean the same strongly connected component? Checks that
 * every class is strongly connected (a forward and a backward search inside it) and that the graph of classes
 * is acyclic (Kahn); then the rest of the claim. LS_EARG with a message that names the first violation.
 * *classes (may be NULL) becomes how many there are. */
ls_status ls_check_scc(ls_graph *g, const ls_scc_claim *claim, u32 *classes);

/* Does s reach a cycle of negative weight (LS_NO_VERTEX: is there one anywhere)? Exact for reals too: the
 * search is over integers of 128 bits. LS_EOVERFLOW where real weights lie so far apart that these cannot
 * tell. parent (may be NULL) is a tree from s, with which no long search is needed where its paths are the
 * shortest. */
typedef struct ls_negative {
  bool found;
  u32 vertex;     /* of the cycle */
  char text[320]; /* "1 -> 2 -> 1 (2 edges) weighs -0.5"; a long one is shortened */
} ls_negative;
ls_status ls_negative_cycle(ls_graph *g, u32 s, const u32 *parent, ls_negative *out);

/* Shortest distances from s: Dijkstra with a heap where no weight is negative, else Bellman-Ford. dist f64[n]
 * or i64[n] by the weight type (integers: i64; unreachable INT64_MAX; reals: f64, +inf); parent u32[n]
 * (LS_NO_VERTEX: none). LS_EARG with a message where a negative cycle is reachable; LS_EOVERFLOW where a
 * distance leaves its type. An unweighted graph counts edges (i64). Bellman-Ford over reals takes a path for
 * shorter when it is so by more than its last sum's rounding; whether a cycle is negative is then decided
 * exactly. */
ls_status ls_dijkstra(ls_graph *g, u32 s, void *dist, u32 *parent);
ls_status ls_bellman_ford(ls_graph *g, u32 s, void *dist, u32 *parent);

/* The same by delta-stepping, as Lesnikov and Chernoskutov 2016 have it, with buckets of width delta: in
 * sequence where threads is 1, else on so many threads (0: all). LS_EARG where a weight is negative, delta is
 * not positive (whole, for whole weights), or more than 2^28 buckets are needed. */
ls_status ls_delta_stepping(ls_graph *g, u32 s, f64 delta, int threads, void *dist, u32 *parent);

/* The same distances by passes over all edges on so many threads (0: all). */
ls_status ls_bellman_ford_passes(ls_graph *g, u32 s, int threads, void *dist);

/* All pairs' distances by Johnson's algorithm, the searches on so many threads (0: all): d is i64[n*n], or
 * f64[n*n] where the weights are real. LS_EARG that names a negative cycle; LS_EOVERFLOW where a sum leaves
 * 64 bits. */
ls_status ls_johnson(ls_graph *g, int threads, void *d);

/* Distances from a source, or from the nearest of several, and a tree; where limited, those up to a limit
 * alone: whatever lies beyond has the value of what is unreachable. */
typedef struct ls_sssp_claim {
  const u32 *sources;
  u64 count;
  ls_dtype type;
  const void *dist;
  const u32 *parent; /* NULL: not given */
  bool limited;
  ls_number limit; /* real where type is */
  bool unit;       /* each edge counts 1, whatever it weighs */
  f64 tol;         /* reals: by so much, relative, an edge may miss; 8 epsilon where it is not above 0 */
} ls_sssp_claim;
/* Are dist (of `type`; for integers the type's maximum and for reals +inf means unreachable) the shortest
 * distances, and parent a tree of tight edges? The triangle inequality on every edge, a tight path to every
 * reached vertex (found by a search from the sources over tight edges, which settles zero-weight cycles too),
 * unreached exactly what is not reachable. Names the first violation, in the search's order. Integers are
 * exact; an edge of reals may miss by 8 epsilon of `type`, or by tol, relative to |dist[v]| + |w|, for
 * kernels sum in that type. */
ls_status ls_check_sssp_claim(ls_graph *g, const ls_sssp_claim *claim);
/* The tree by which that search proves the claim's distances: parent[v], LS_NO_VERTEX at its roots and where
 * a vertex is not reached. The claim's own tree is not looked at. */
ls_status ls_sssp_tree(ls_graph *g, const ls_sssp_claim *claim, u32 *parent);

/* All-pairs distances by the textbook triple loop over an n x n matrix of `type` (i16, i32, i64, f32, f64),
 * in place. d is min-plus: the type's maximum (integers) or +inf (reals) means no path; the diagonal starts
 * at min(0, self loop). LS_EARG that names a vertex where a cycle is negative, LS_EOVERFLOW where a distance
 * does not fit; d is then of no use. */
ls_status ls_floyd_warshall(u64 n, ls_dtype type, void *d);
/* Fills d with the rows first to past - 1 of the matrix: least weight of parallel edges, diagonal
 * min(0, self loop), else no path. LS_EARG or LS_EOVERFLOW where a weight does not fit `type`. */
ls_status ls_distance_matrix(ls_graph *g, ls_dtype type, u32 first, u32 past, void *d);
/* Is d the all-pairs distance matrix of g? Every row is held to ls_check_sssp_claim's conditions. For
 * reals `tol` takes the place of 8 epsilon; negative: n epsilon, since Floyd-Warshall adds in any order. A
 * graph with a negative cycle has no such matrix. */
ls_status ls_check_fw(ls_graph *g, ls_dtype type, const void *d, f64 tol);

/* A semiring by its name, "min-plus", "max-plus", "max-min" or "or-and"; false: there is none of that name.
 */
typedef enum ls_semiring { LS_MIN_PLUS, LS_MAX_PLUS, LS_MAX_MIN, LS_OR_AND } ls_semiring;
bool ls_semiring_parse(const char *name, ls_semiring *out);
/* I + A + A*A + ... of the n x n matrix d of `type` (i16, i32, i64, f32, f64), in place, by the triple loop.
 * No path: the greatest value of the type for min-plus, the least for the two others, infinite for reals; 0
 * for or-and. No element is a NaN. LS_EARG where a cycle makes paths better without end, LS_EOVERFLOW where
 * the weight of a path does not fit; d is then of no use. */
ls_status ls_closure(u64 n, ls_dtype type, ls_semiring s, void *d);
/* d[i * n + j]: the greatest weight of a path from i to j of the acyclic graph g, in `type` (i32, i64, f32,
 * f64); its least value, or -inf, where there is none. Goto 2011, on one CPU. LS_EARG where there is a cycle,
 * LS_EOVERFLOW. */
ls_status ls_kleene(ls_graph *g, ls_dtype type, void *d);

#endif
