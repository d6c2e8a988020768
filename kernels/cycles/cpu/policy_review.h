/* policy_review on a CPU. */
#include "cycles/policy_improve.h"

#define REVIEWED 0xfffffffdu /* value of layer[v]: v has been reviewed in this launch */
#define ARGS_W LS_JOIN(policy_review_args, W)
#define IMPROVE_W LS_JOIN(policy_improve_args, W)

/* Runs policy_improve for v. Returns whether its choice has improved. */
LS_INLINE bool LS_JOIN(improve_vertex, W)(const IMPROVE_W *a, const u32 *off, u32 v) {
  LS_JOIN(policy_improve_counts, W) count = {0};
  if (!LS_JOIN(policy_improve_select, W)(a, v)) return false;
  u32 at = NO_EDGE;
  W best = 0;
  for (u32 e = off[v], last = off[v + 1]; e < last; e++) {
    const W score = LS_JOIN(policy_improve_score, W)(a, v, e);
    if (at == NO_EDGE || score < best) best = score, at = e;
  }
  LS_JOIN(policy_improve_body, W)(a, &count, NULL, v, at, best);
  return count.improved;
}

CPU_LIBRARY(policy_review) {
#define SAME(name) .name = a->name
  const IMPROVE_W improve = {.n = a->n, .m = a->m, SAME(off), SAME(to), SAME(w), SAME(t), SAME(timed), SAME(region),
                             SAME(p), SAME(q), SAME(d), SAME(slack), SAME(crown), SAME(work), SAME(attained), SAME(work_next),
                             SAME(root), SAME(best), SAME(policy)};
#undef SAME
  u32 improved = 0;
  for (u32 i = 1; i <= a->front[0]; i++) {
    COUNT_EDGES(a->roff[a->front[i] + 1] - a->roff[a->front[i]]);
    for (u32 j = a->roff[a->front[i]], last = a->roff[a->front[i] + 1]; j < last; j++) {
      const u32 v = a->rto[j];
      if (a->layer[v] == REVIEWED) continue;
      a->layer[v] = REVIEWED;
      COUNT_EDGES(a->off[v + 1] - a->off[v]);
      if (LS_JOIN(improve_vertex, W)(&improve, a->off, v)) a->front_next[++improved] = v;
    }
  }
  a->front_next[0] = improved;
  for (u32 i = 1; i <= a->front[0]; i++)
    for (u32 j = a->roff[a->front[i]], last = a->roff[a->front[i] + 1]; j < last; j++)
      if (a->layer[a->rto[j]] == REVIEWED) a->layer[a->rto[j]] = 0;
  count->improved = improved;
  return LS_OK;
}
