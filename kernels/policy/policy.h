/* What the kernels of policy iteration share.
 *
 * Every vertex v chooses one out-edge, policy[v]. Whoever follows the choices ends in a cycle: the policy graph
 * falls into pieces of one cycle each, with trees that lead to it. All work is restricted to regions (strongly
 * connected components): region[v] is the representative of v's region, and what belongs to a region (p, q, root,
 * best, work) lies at its representative's place. lambda = p / q is the mean of the region's best cycle so far and
 * root that cycle's smallest vertex. d[v] is the length of v's path to the root with every edge at
 *
 *     q * w - p * t     (t = 1 for a mean)
 *
 * so that integers stay integers. W is i64 or f64; of reals q = 1. */
#ifndef POLICY_H
#define POLICY_H

#include "language/kernel.h"

#define UNREACHED 0xffffffffu /* a layer */

enum { HOPS = 3 }; /* how many paths a pass of policy_sum joins to one */

/* An edge's length, and a sum of lengths. (Integers wrap, which C leaves open: whoever calls for sums that large hears
 * of it by the flag, or has been told before.) */
LS_INLINE i64 length_i64(i64 q, i64 w, i64 p, i64 t) { return (i64)((u64)q * (u64)w - (u64)p * (u64)t); }
LS_INLINE f64 length_f64(f64 q, f64 w, f64 p, f64 t) { return q * w - p * t; }
LS_INLINE i64 add_i64(i64 x, i64 y) { return (i64)((u64)x + (u64)y); }
LS_INLINE f64 add_f64(f64 x, f64 y) { return x + y; }
#define LENGTH(r, e) LS_JOIN(length, W)(a->q[r], a->w[e], a->p[r], (e) < a->timed ? a->t[e] : (W)1)
#define ADD(x, y) LS_JOIN(add, W)(x, y)

/* Sums beyond this raise the sticky flag: two of them can still be added. */
#define SUM_LIMIT ((i64)1 << 62)
LS_INLINE bool too_large_i64(i64 x) { return x >= SUM_LIMIT || x <= -SUM_LIMIT; }
LS_INLINE bool too_large_f64(f64 x) { return (void)x, false; }
#define TOO_LARGE(x) LS_JOIN(too_large, W)(x)

/* Is the mean c / t less than best / best_t? Exact for integers: 128 bits hold the products. */
LS_INLINE int compare_means_i64(i64 c, i64 t, i64 best, i64 best_t) {
  const __int128 x = (__int128)c * best_t, y = (__int128)best * t;
  return (x > y) - (x < y);
}
LS_INLINE int compare_means_f64(f64 c, f64 t, f64 best, f64 best_t) {
  const f64 x = c / t, y = best / best_t;
  return (x > y) - (x < y);
}
#define COMPARE_MEANS(c, t, best, best_t) LS_JOIN(compare_means, W)(c, t, best, best_t)

/* The vote of Barnat et al. 2011, Algorithm 5: the cell holds who has the least mean cost / time so far (+ 1; 0: nobody);
 * v takes it where its own is less. Equal means go to the smaller rank (NULL: the smaller index). paper errs: a failed
 * exchange there tests what it read before. */
#define VOTE(type)                                                                                          \
  LS_INLINE void vote_##type(u32 *cell, u32 v, const type *cost, const type *time, const u32 *rank) {       \
    for (;;) {                                                                                              \
      const u32 now = load_relaxed(cell);                                                                           \
      if (now) {                                                                                            \
        const int order = compare_means_##type(cost[v], time[v], cost[now - 1], time[now - 1]);             \
        if (order > 0) return;                                                                              \
        if (order == 0 && (rank ? rank[now - 1] <= rank[v] : now - 1 <= v)) return;                         \
      }                                                                                                     \
      if (atomic_cas(cell, now, v + 1)) return;                                                           \
    }                                                                                                       \
  }
VOTE(i64)
VOTE(f64)

/* lambda as p / q: in lowest terms, or of reals with q = 1. */
LS_INLINE void lambda_i64(i64 c, i64 t, i64 *p, i64 *q) {
  u64 a = c < 0 ? 0 - (u64)c : (u64)c, b = t < 0 ? 0 - (u64)t : (u64)t;
  while (b) {
    const u64 rest = a % b;
    a = b, b = rest;
  }
  *p = a ? c / (i64)a : 0, *q = a ? t / (i64)a : 1;
}
LS_INLINE void lambda_f64(f64 c, f64 t, f64 *p, f64 *q) { *p = c / t, *q = 1; }

/* Of bodies that look for the vertices whose path does not come to its region's root: counts and lists those, and lays
 * the others on layer 0. `comes` is asked of vertices with a choice alone. */
#define LIST_UNLESS(comes, counter)                                                                         \
  do {                                                                                                      \
    const bool chosen = a->policy[v] != NO_EDGE, arrived = chosen && (comes);                               \
    a->layer[v] = arrived ? 0 : UNREACHED;                                                                  \
    if (!chosen || arrived) break;                                                                          \
    count->counter++;                                                                                       \
    PUSH(v);                                                                                                \
  } while (0)

#endif
