/* Sequential algorithms for general networks (components, PageRank, triangles), and checks of results. None
 * shares code with a kernel. */
#ifndef LS_REFERENCE_NETWORK_H
#define LS_REFERENCE_NETWORK_H

#include "data/graph.h"

/* Weakly connected components by breadth-first searches in both directions: id[v], u32[n], becomes the least
 * vertex of v's component, *count the number of components. Computes the transpose if needed. */
ls_status ls_components(ls_graph *g, u32 *id, u32 *count);

/* Checks that vertices have equal labels exactly if they are in the same weakly connected component and, if
 * `least`, that each label is the least vertex of its component. LS_EARG names the first violation. *count as
 * above. */
ls_status ls_check_components(ls_graph *g, const u32 *id, bool least, u32 *count);

/* PageRank by the power method (Page, Brin, Motwani and Winograd 1999): every vertex passes its rank on along
 * its out-edges; the rank of dangling vertices is distributed evenly over all vertices in every step. `rank`,
 * f64[n], has the sum 1. Ends when a step changes the ranks by less than `tolerance` in sum, or after `most`
 * steps; *steps: the number of steps. */
ls_status ls_pagerank(ls_graph *g, f64 damping, f64 tolerance, u32 most, f64 *rank, u32 *steps);

/* Checks that the ranks are positive and have the sum 1, and that one step of the power method changes them
 * by at most `allowed` in sum, plus rounding errors. Then they differ from the exact PageRank by at most
 * allowed / (1 - damping) in sum. LS_EARG: the message says what is wrong. */
ls_status ls_check_pagerank(ls_graph *g, f64 damping, f64 allowed, const f64 *rank);

/* Sets at[v] (i64[n]) to the number of triangles at vertex v, by marking neighbours, in O(m sqrt(m)).
 * Directions, loops and parallel edges are ignored. Computes the transpose if needed. */
ls_status ls_triangles(ls_graph *g, i64 *at);

#endif
