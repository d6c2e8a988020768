/* Sequential algorithms for what one asks of any network, and checks of results. None shares code with a
 * kernel. */
#ifndef LS_REFERENCE_NETWORK_H
#define LS_REFERENCE_NETWORK_H

#include "data/graph.h"

/* Weakly connected components by breadth-first searches over both directions: id u32[n] becomes the least
 * vertex of each one's component. *count: how many there are. Makes the transpose. */
ls_status ls_components(ls_graph *g, u32 *id, u32 *count);

/* Do equal labels mean the same weakly connected component? With least each label is also the least vertex of
 * its component. LS_EARG names the first violation. *count as above. */
ls_status ls_check_components(ls_graph *g, const u32 *id, bool least, u32 *count);

/* PageRank by the power method, as Page, Brin, Motwani and Winograd 1999 have it: every vertex hands its rank
 * on along its out-edges; what dangling vertices have is shared out among all in every step. rank f64[n],
 * whose sum is 1. Ends when a step changes the ranks by less than tolerance in sum, or after so many steps;
 * *steps: after how many. */
ls_status ls_pagerank(ls_graph *g, f64 damping, f64 tolerance, u32 most, f64 *rank, u32 *steps);

/* Is rank positive, with sum 1, and does one such step change it by at most `allowed` in sum (and by the
 * rounding of the sums)? Then it differs from the exact PageRank by allowed / (1 - damping) in sum at most.
 * LS_EARG says what is wrong. */
ls_status ls_check_pagerank(ls_graph *g, f64 damping, f64 allowed, const f64 *rank);

/* The number of triangles at each vertex, at i64[n], by marking neighbours; whatever directions, loops and
 * parallel edges there are. Makes the transpose. O(m sqrt(m)). */
ls_status ls_triangles(ls_graph *g, i64 *at);

#endif
