/* The sequential textbook algorithms that results and speed are held against, and the certificate checks.
 * Host only; none shares code with a kernel. */
#ifndef LS_REFERENCE_REFERENCE_H
#define LS_REFERENCE_REFERENCE_H

#include "data/graph.h"

/* Tarjan 1972, with an explicit stack. id u32[n]: component numbers 0.. in reverse topological order
 * (a component's successors have smaller numbers). */
ls_status ls_tarjan(ls_graph *g, u32 *id, u32 *count);

/* Another route to the same claim: is `id` (any labels below 2^32) the partition into strongly connected
 * components? Checks that every class is strongly connected (a forward and a backward search inside it) and
 * that the graph of classes is acyclic (Kahn). LS_EARG with a message that names the first violation. */
ls_status ls_check_scc(ls_graph *g, const u32 *id);

/* Shortest distances from s: Dijkstra with a binary heap where no weight is negative, else Bellman-Ford.
 * dist f64[n] or i64[n] by the weight type (integers: i64; unreachable INT64_MAX; reals: f64, +inf);
 * parent u32[n] (LS_NO_VERTEX: none). LS_EARG with a message where a negative cycle is reachable;
 * LS_EOVERFLOW where an i64 sum would wrap. An unweighted graph counts edges (i64). */
ls_status ls_dijkstra(ls_graph *g, u32 s, void *dist, u32 *parent);
ls_status ls_bellman_ford(ls_graph *g, u32 s, void *dist, u32 *parent);

/* Are dist (of `type`; for integers the type's maximum and for reals +inf means unreachable) the shortest
 * distances from s, and parent (NULL: not given) a tree of tight edges? Triangle inequality on every edge,
 * a tight tree path to every reached vertex (without parents: found by a search over tight edges, which
 * settles zero-weight cycles too), unreached exactly what is not reachable. Names the first violation. */
ls_status ls_check_sssp(ls_graph *g, u32 s, ls_dtype type, const void *dist, const u32 *parent);

/* All-pairs distances by the textbook triple loop over an n x n matrix of `type`, in place. d is min-plus:
 * the type's maximum (integers) or +inf (reals) means no path; the diagonal starts at min(0, self loop). */
ls_status ls_floyd_warshall(u64 n, ls_dtype type, void *d);
/* Fills d from the graph: least weight of parallel edges, diagonal min(0, self loop), else no path. */
ls_status ls_distance_matrix(ls_graph *g, ls_dtype type, void *d);
/* Is d the all-pairs distance matrix of g? d[i][j] <= w(i,j), d[i][i] <= 0, d[i][j] <= d[i][k] + w(k,j) for
 * every i and edge (k,j), and each finite d[i][j], i != j, is attained by some last edge. Reals: relative
 * tolerance `tol`. Names the first violation. */
ls_status ls_check_fw(ls_graph *g, ls_dtype type, const void *d, f64 tol);

#endif
