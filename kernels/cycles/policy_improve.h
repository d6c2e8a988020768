/* One pass over all edges: a vertex chooses the edge with the least (length + value of its target), if that is less than
 * its own value. Barnat et al. 2011, Algorithm 2 lines 9-13 and Algorithm 3 line 2 (SPFPassIter). Values are only read:
 * policy_sum computes those of the new policy, so the second of the paper's two vectors is not needed. Regions without an
 * improvement in the previous pass are finished and skipped. */
#include "cycles/policy.h"

#define POLICY_IMPROVE_ARGS(A, W)                                                                           \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, region, "n", vertex, "n") A(IN, W, p, "n")        \
  A(IN, W, q, "n") A(IN, W, d, "n") A(IN, W, slack, "1") A(IN, u32, crown, "n") A(IN, u32, work, "n")       \
  A(IN, u32, attained, "1") A(INOUT, u32, work_next, "n") A(INOUT, u32, root, "n", link, "n")               \
  A(INOUT, u32, best, "n", vote, "n")                                                                       \
  A(INOUT, u32, policy, "n", choice, "m") A(COUNT, u32, improved, "1")
ARGS(policy_improve, POLICY_IMPROVE_ARGS)

SELECT(policy_improve) { return !a->attained[0] && a->work[a->region[v]] != 0; }

SCORE(policy_improve, W) {
  const u32 r = a->region[v];
  return ADD(a->d[a->to[e]], LENGTH(r, e));
}

BEST_BODY(policy_improve, W) {
  (void)push;
  if (e == NO_EDGE || !(ADD(best, a->slack[0]) < a->d[v])) return;
  const u32 r = a->region[v];
  a->policy[v] = e;
  count->improved++;
  raise_flag(&a->work_next[r]);
  const u32 crown = a->crown[v];
  if (crown != LS_NO_VERTEX && crown == load_cached(&a->root[r])) { /* v was on the best cycle, which is now broken */
    store_relaxed(&a->root[r], LS_NO_VERTEX);
    store_relaxed(&a->best[r], 0u);
  }
}
