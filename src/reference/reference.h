/* The sequential textbook algorithms that results and speed are held against, and the certificate checks.
 * Host only; none shares code with a kernel. */
#ifndef LS_REFERENCE_REFERENCE_H
#define LS_REFERENCE_REFERENCE_H

#include "data/graph.h"

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

/* Shortest distances from s: Dijkstra with a heap where no weight is negative, else Bellman-Ford. dist f64[n]
 * or i64[n] by the weight type (integers: i64; unreachable INT64_MAX; reals: f64, +inf); parent u32[n]
 * (LS_NO_VERTEX: none). LS_EARG with a message where a negative cycle is reachable or a weight is NaN or
 * -inf (an edge of weight +inf is none); LS_EOVERFLOW where a distance leaves i64. An unweighted graph counts
 * edges (i64). Bellman-Ford over reals takes a path for shorter when it is so by more than its last sum's
 * rounding. */
ls_status ls_dijkstra(ls_graph *g, u32 s, void *dist, u32 *parent);
ls_status ls_bellman_ford(ls_graph *g, u32 s, void *dist, u32 *parent);

/* Are dist (of `type`; for integers the type's maximum and for reals +inf means unreachable) the shortest
 * distances from s, and parent (NULL: not given) a tree of tight edges? The triangle inequality on every
 * edge, a tight path to every reached vertex (found by a search from s over tight edges, which settles
 * zero-weight cycles too), unreached exactly what is not reachable. Names the first violation, in the
 * search's order. Integers are exact; an edge of reals may miss by 8 epsilon of `type`, relative to
 * |dist[v]| + |w|, for kernels sum in that type. */
ls_status ls_check_sssp(ls_graph *g, u32 s, ls_dtype type, const void *dist, const u32 *parent);

/* All-pairs distances by the textbook triple loop over an n x n matrix of `type` (i32, i64, f32, f64), in
 * place. d is min-plus: the type's maximum (integers) or +inf (reals) means no path; the diagonal starts at
 * min(0, self loop). LS_EARG that names a vertex where a cycle is negative, LS_EOVERFLOW where a distance
 * does not fit; d is then of no use. */
ls_status ls_floyd_warshall(u64 n, ls_dtype type, void *d);
/* Fills d from the graph: least weight of parallel edges, diagonal min(0, self loop), else no path.
 * LS_EARG or LS_EOVERFLOW where a weight does not fit `type`. */
ls_status ls_distance_matrix(ls_graph *g, ls_dtype type, void *d);
/* Is d the all-pairs distance matrix of g? Every row is held to ls_check_sssp's conditions. For reals `tol`
 * takes the place of 8 epsilon; negative: n epsilon, since Floyd-Warshall adds in any order. A graph with a
 * negative cycle has no such matrix. */
ls_status ls_check_fw(ls_graph *g, ls_dtype type, const void *d, f64 tol);

#endif
