/* Shortest paths: the terms of this family and the code that its kernels share.
 *
 *   relax       to improve the distance of an edge's target: dist[v] = min(dist[v], dist[u] + w(u, v)).
 *   frontier    the queue of vertices whose edges are to be relaxed.
 *   expanded    expanded[v]: the distance with which the edges of v were relaxed last; NO_PATH before the first time.
 *               If a queue holds v more than once, the atomic minimum on expanded[v] lets only one of these items
 *               through.
 *   bound       near vertices have distances below bound[0], far ones do not. Only near vertices are expanded.
 *   floor       the previous bound: the current bucket holds the distances in [floor[0], bound[0]).
 *   least       least[0]: the least distance of the far vertices; NO_PATH if there are none.
 *   delta       the width of a bucket.
 *   light       an edge whose weight is at most delta; other edges are heavy (Meyer and Sanders 2003).
 *   request     a pair of a target and the distance that an edge offers to it.
 *   settled     a vertex whose distance is final.
 *   potential   a number h[v] for each vertex, such that w + h[u] - h[v] >= 0 for every edge u -> v (Johnson 1977).
 */
#ifndef PATHS_H
#define PATHS_H

#include "common/minplus.h"

/* *p = min(*p, x). The cached value is tested first, which avoids most atomics on a cell that all threads lower. */
#define LOWER(p, x) ((void)((x) < load_cached(p) && atomic_min(p, x)))

#endif
