/* Strongly connected components: the terms of this family and the code that its kernels share.
 *
 *   settle      to find the component of a vertex: comp[v] becomes its representative, mark[v] becomes SETTLED.
 *   live        not settled.
 *   region      a set of live vertices that contains each component wholly or not at all; it has the number of its pivot.
 *               Searches stay inside regions, so that one launch searches them all (Barnat et al. 2011, "regions").
 *   mark        mark[v] = region * 4 + 2 * backward + forward, so that one comparison of two marks shows whether two
 *               vertices are in the same region; forward: the pivot reaches v, backward: v reaches the pivot. SETTLED
 *               is a region of its own, which no kernel searches.
 *   class       the vertices of a region with the same forward and backward bits. No component is in two classes.
 *   pivot       the vertex from which a region is searched forward and backward (Fleischer, Hendrickson, Pinar 2000).
 *               Vertices that have both bits then are the component of the pivot; the three other classes become regions.
 *   vote        vote[3 * region + class] = 1 + the largest vertex of the class: its pivot, found by atomic maximum.
 *   hub         the pivot of the first search: a vertex that is probably in the giant component, because it has many
 *               out-edges (pick_hub) or because short random walks return to it (walk_hub).
 *   reach       one layer of a search (Barnat et al. 2011, FWD-REACH and BWD-REACH); grown counts the vertices reached.
 *   pull        a backward search over forward edges: every vertex tests its successors (Barnat et al. 2011).
 *   sweep       one pass over all edges that searches forward and backward without queues.
 *   split       to settle the components of the pivots once both searches are complete.
 *   trim        to settle a vertex without live predecessor or successor in its region (McLendon et al. 2005).
 *   pair        two vertices that form a component (Slota et al. 2014, Trim2).
 *   chain       a path of vertices with one live predecessor each, or with one live successor each.
 *   link        link[v]: the next vertex on the chain of v. flood, join_back, settle_joined and tarjan_rest: see tree.h.
 *   residual    an edge both ends of which are live and in the same region and class.
 *   scattered   an identifier: v times an odd constant, modulo 2^32; a bijection whose order follows no pattern of edges.
 *   maximum     max_in[v], max_out[v]: the largest scattered identifier that is known to reach v, or to be reached by v
 *               (Alabandi, Sands, Biros, Burtscher 2023, ECL-SCC). If both are equal, they identify the component of v.
 *   flood       a forward search from the hub without layers, on a CPU; tree.h defines its terms: tree, reached, joined.
 *   Tarjan      Tarjan 1972, in the form of Pearce 2016, on all threads of a CPU (Renault et al. 2015): tarjan_rest.
 *
 * Barnat et al. 2011 is here "Computing Strongly Connected Components in Parallel on CUDA". */
#ifndef SCC_H
#define SCC_H

#include "language/kernel.h"

enum { FORWARD = 1, BACKWARD = 2, BOTH = 3 };
#define SETTLED 0xffffffffu

LS_INLINE bool same_region(u32 mark, u32 other) { return ((mark ^ other) >> 2) == 0; }

/* After flood (tree.h), link[v] is LINK_UNREACHED, LINK_SETTLED, or the parent of v (plus LINK_JOINED if v has
 * joined). */
#define LINK_UNREACHED 0xffffffffu /* flood has not reached v */
#define LINK_SETTLED 0x7fffffffu   /* v was settled before the search */
#define LINK_JOINED 0x80000000u    /* a bit in addition to the parent: v reaches the hub */

/* Scattered identifiers: multiplication by an odd number is a bijection of 32-bit words. Breaking ties by them prefers no
 * part of the graph. */
LS_INLINE u32 scatter_id(u32 v) { return v * 0x9e3779b1u; }
LS_INLINE u32 unscatter_id(u32 h) { return h * 0x0e8b2f51u; }

#endif
