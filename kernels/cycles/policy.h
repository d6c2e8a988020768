/* Policy iteration: the terms of this family and the code that its kernels share. The paper is Barnat, Bauch, Brim, Ceska
 * 2011, "Computing Optimal Cycle Mean in Parallel on CUDA"; line numbers are those of its Algorithm 3 unless another is named.
 *
 * Nouns
 *   region    a strongly connected component; region[v] is its representative. p, q, root, best and work have one value per
 *             region, at the index of the representative (section 3.3).
 *   policy    policy[v]: the out-edge that v has chosen (the paper's pi(v)). The chosen edges are the policy graph: each of
 *             its weakly connected parts has one cycle, and paths that lead to it.
 *   path      the path from v along chosen edges. It arrives if it reaches the root of v's region.
 *   lambda    p / q: the mean, or the ratio, of the best cycle of a region so far (line 8).
 *   root      the smallest vertex of that cycle (minCycle.minIndex; `source` in Algorithm 4).
 *   value     d[v]: the length of the path from v to the root (val). An edge has length q * w - p * t (t = 1 for a mean), so
 *             that integers stay integers. W is i64 or f64; for reals q = 1.
 *   loose     a vertex that has a choice but whose path does not arrive.
 *   least     least[v]: the smallest vertex of the cycle of v. It identifies the cycle (gCycles stores it as the index).
 *   crown     crown[v]: least[v] when v was last found on a cycle. If v then chooses another edge, and crown[v] is the
 *             root, the best cycle is broken.
 *   jump      jump[v], for pointer doubling: the vertex to which 2^k choices lead from v, or the root. link[v]: the same for
 *             v on a cycle.
 *   seen      seen[v] = 1 means in policy_land that a jump ends at v, after policy_cycles that v is on a cycle.
 *   layer     layer[v]: 0 if the path of v arrives, else the layer of v in a breadth-first search from the vertices of layer 0
 *             (connectGpi), or UNREACHED. The kernels in cpu/ also use UNVISITED and REVIEWED.
 *   rest      the queue of vertices still to be handled: loose ones, or those that may be on cycles.
 *   bound     the least weight, a lower bound of every mean. attained = 1: a mean is equal to it, hence optimal.
 *   slack     for reals: an improvement that is not larger than this may be a rounding error, and is ignored.
 *   summary   preds[v], first_pred[v]: the predecessors of v in the policy graph (gPredInfo). Unused if summary = 0.
 *   gone      gone[v]: v has been eliminated: it is on no cycle (line 5).
 *   work      work[r] is 0 once the region r is finished (section 3.3).
 *   optimum   1 + the region with the best cycle of all (Proposition 2.3).
 *   bridge    an edge of the Hamiltonian cycle that makes a graph strongly connected (section 2.5).
 *   walker    a CPU thread that follows paths vertex by vertex (cpu/policy_walker.h).
 *   ahead     the first choices minimise the weight of paths of `ahead` edges (policy.start in lua/cycles/policy.lua).
 *
 * Verbs: what a row policy_VERB does. Some steps exist in two forms: "layered" is the paper's, layer by layer; "doubling" uses
 * pointer doubling instead.
 *   first, value                  the first choices: by least weight, then by value iteration
 *   improve                       choose better edges: line 2, SPFPassIter
 *   renew                         finish the regions in which no choice has changed: section 3.3
 *   links, sum                    values: lines 12 to 14, doubling
 *   loose                         list the loose vertices
 *   land                          eliminate vertices that are on no cycle: line 5, doubling
 *   cycles, least, total          find cycles, their smallest vertices and their means: line 6, doubling
 *   vote                          the best cycle of every region: line 7 (reducemin), as Algorithm 5
 *   lambda                        set the mean and root of each region to those of its best cycle: lines 8 and 9 (setMinCycle)
 *   elect                         the best region of all: Algorithm 5 again
 *   apart                         list vertices whose path does not lead to the best cycle: line 10 (markMinComponent), doubling
 *   border, connect, adopt        connect loose vertices to the root: line 11, connectGpi
 *   pull                          connect loose vertices over forward edges, for small graphs
 *   count_preds                   make the summary: lines 4 and 13, GpiPreprocess
 *   eliminate                     line 5, elimination, layered
 *   walk                          line 6, cycleIdentification
 *   start_mark, mark, unmarked    line 10, markMinComponent, layered
 *   start_values, propagate       lines 12 and 14, valuePropagate (Algorithm 4), layered
 *   paths                         lines 5 to 10, 12 and 14 at once, on a CPU
 *   attach                        lines 11 to 14 for the loose vertices, on a CPU
 *   mend                          lines 12 to 14 for the vertices whose path has changed, if they are few, on a CPU
 *   review                        line 2 for the predecessors of the vertices that `mend` changed, on a CPU
 *   potential                     a first guess of the potentials that prove the optimum */
#ifndef POLICY_H
#define POLICY_H

#include "language/kernel.h"

#define UNREACHED 0xffffffffu /* value of layer[v]: no path from v to the root is known */

enum { HOPS = 3 }; /* jumps that one pass of policy_sum follows */

/* The length of an edge, and the sum of two lengths. Integers wrap (computed unsigned, because signed overflow is
 * undefined in C); callers use TOO_LARGE to detect sums that are too large. */
LS_INLINE i64 length_i64(i64 q, i64 w, i64 p, i64 t) { return (i64)((u64)q * (u64)w - (u64)p * (u64)t); }
LS_INLINE f64 length_f64(f64 q, f64 w, f64 p, f64 t) { return q * w - p * t; }
LS_INLINE i64 add_i64(i64 x, i64 y) { return (i64)((u64)x + (u64)y); }
LS_INLINE f64 add_f64(f64 x, f64 y) { return x + y; }
#define EDGE_TIME(e) ((e) < a->timed ? a->t[e] : (W)1)
#define LENGTH(r, e) LS_JOIN(length, W)(a->q[r], a->w[e], a->p[r], EDGE_TIME(e))
#define ADD(x, y) LS_JOIN(add, W)(x, y)

/* A sum whose absolute value reaches this sets the overflow flag. Two sums below it can be added without overflowing 64 bits. */
#define SUM_LIMIT ((i64)1 << 62)
LS_INLINE bool too_large_i64(i64 x) { return x >= SUM_LIMIT || x <= -SUM_LIMIT; }
LS_INLINE bool too_large_f64(f64 x) { return (void)x, false; }
#define TOO_LARGE(x) LS_JOIN(too_large, W)(x)

/* Compares the means c / t and best / best_t: -1, 0 or 1. Exact for integers, because 128 bits hold the products. */
LS_INLINE int compare_means_i64(i64 c, i64 t, i64 best, i64 best_t) {
  const __int128 x = (__int128)c * best_t, y = (__int128)best * t;
  return (x > y) - (x < y);
}
LS_INLINE int compare_means_f64(f64 c, f64 t, f64 best, f64 best_t) {
  const f64 x = c / t, y = best / best_t;
  return (x > y) - (x < y);
}
#define COMPARE_MEANS(c, t, best, best_t) LS_JOIN(compare_means, W)(c, t, best, best_t)

/* The minimum voting of Algorithm 5, over cycles and over regions: the cell holds 1 + the index with the least mean
 * cost / time so far, or 0 before the first vote, and v replaces that index if the mean of v is lower. Among equal
 * means the smaller rank wins, or the smaller index if `rank` is NULL, so that the result does not depend on the
 * order of the threads; the paper keeps whichever of two equal means comes first. As in the paper, the cell is read
 * again after a failed compare-and-swap.
 *
 * paper errs: 000, section 3.2, gCycles: a mean of 32 bits cannot distinguish 16777217 from 16777216, so that the vote, and
 * the iteration after it, may end with a cycle that is not the best. Here weight and time are kept, and compared exactly. */
#define VOTE_LEAST_MEAN(type)                                                                               \
  LS_INLINE void vote_least_mean_##type(u32 *cell, u32 v, LS_ARRAY(const type) cost,                           \
                                        LS_ARRAY(const type) time, LS_ARRAY(const u32) rank) {              \
    for (;;) {                                                                                              \
      const u32 now = load_relaxed(cell);                                                                   \
      if (now) {                                                                                            \
        const int order = compare_means_##type(cost[v], time[v], cost[now - 1], time[now - 1]);             \
        if (order > 0) return;                                                                              \
        if (order == 0 && (rank ? rank[now - 1] <= rank[v] : now - 1 <= v)) return;                         \
      }                                                                                                     \
      if (atomic_cas(cell, now, v + 1)) return;                                                             \
    }                                                                                                       \
  }
VOTE_LEAST_MEAN(i64)
VOTE_LEAST_MEAN(f64)

/* Computes lambda = c / t as p / q: in lowest terms for integers; q = 1 for reals. */
LS_INLINE void lambda_i64(i64 c, i64 t, i64 *p, i64 *q) {
  u64 a = c < 0 ? 0 - (u64)c : (u64)c, b = t < 0 ? 0 - (u64)t : (u64)t;
  while (b) {
    const u64 rest = a % b;
    a = b, b = rest;
  }
  *p = a ? c / (i64)a : 0, *q = a ? t / (i64)a : 1;
}
LS_INLINE void lambda_f64(f64 c, f64 t, f64 *p, f64 *q) { *p = c / t, *q = 1; }

/* Common end of policy_loose and policy_apart: sets layer[v] to 0 if v has a choice and its path arrives, else to UNREACHED; if
 * v is loose, counts and lists it. `arrives` is evaluated only if v has a choice. */
#define LIST_IF_LOOSE(arrives, counter)                                                                     \
  do {                                                                                                      \
    const bool chosen = a->policy[v] != NO_EDGE, arrived = chosen && (arrives);                             \
    a->layer[v] = arrived ? 0 : UNREACHED;                                                                  \
    if (chosen && !arrived) {                                                                               \
      count->counter++;                                                                                     \
      PUSH(rest, v);                                                                                        \
    }                                                                                                       \
  } while (0)

#endif
