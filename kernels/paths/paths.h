/* Shortest paths: the words of this family, and what its kernels share.
 *
 *   relax       to improve the distance of an edge's target: dist[v] = min(dist[v], dist[u] + w(u, v)).
 *   frontier    the queue of vertices whose edges are to be relaxed.
 *   expanded    expanded[v]: the distance with which the edges of v were relaxed last; NO_PATH before the first time. A
 *               vertex may stand in a queue more than once; the atomic minimum on expanded[v] lets one of them through.
 *   bound       near vertices have distances below bound[0], far ones do not. Only near vertices are expanded.
 *   floor       the bound before: what lies between floor[0] and bound[0] is the present bucket.
 *   least       least[0]: the least distance of all that are far; NO_PATH where none is.
 *   delta       the width of a bucket.
 *   light       of an edge: its weight is at most delta; else it is heavy (Meyer and Sanders 2003).
 *   request     a pair of a target and the distance that an edge offers it.
 *   settled     of a vertex: its distance is final.
 *   potential   a number for each vertex that makes no edge u -> v negative: w + h[u] - h[v] >= 0 (Johnson 1977).
 */
#ifndef PATHS_H
#define PATHS_H

#include "common/minplus.h"

/* Lowers *p to x where x is less; a first test in the cache spares most atomics on a cell that all threads lower. */
#define LOWER(p, x) ((void)((x) < load_cached(p) && atomic_min(p, x)))

#endif
