/* policy_mend on a CPU. */
#define ARGS_W LS_JOIN(policy_mend_args, W)
#include "cycles/cpu/policy_walker.h"

/* Has the choice of v changed since its value was computed? */
LS_INLINE bool LS_JOIN(is_stale, W)(const ARGS_W *a, u32 v) {
  const u32 e = a->policy[v], r = a->region[v];
  return a->work[r] && e != NO_EDGE && a->root[r] != v && a->d[v] != ADD(a->d[a->to[e]], LENGTH(r, e));
}

/* Marks the value of v for recomputation and sets up its link for walk_path. */
LS_INLINE void LS_JOIN(invalidate, W)(const ARGS_W *a, u32 v) {
  const u32 e = a->policy[v];
  a->layer[v] = UNVISITED;
  a->jump[v] = a->to[e];
  a->d_next[v] = LENGTH(a->region[v], e);
}

/* Adds to `front` all vertices whose path leads through a vertex in `front`, and invalidates all vertices in `front`.
 * Returns false if these are more than n / 8, if one has no choice, or if the root of its region is gone. Adds the
 * number of visited edges to *edges. */
static bool LS_JOIN(collect_stale, W)(const ARGS_W *a, u32 *front, u64 *edges) {
  const u32 most = a->n / 8;
  u32 all = 0;
  for (u32 i = 1; i <= front[0]; i++) {
    const u32 v = front[i];
    if (a->policy[v] == NO_EDGE || a->root[a->region[v]] == LS_NO_VERTEX) return false;
    if (a->layer[v] == UNVISITED) continue;
    LS_JOIN(invalidate, W)(a, v);
    front[++all] = v;
  }
  for (u32 i = 1; i <= all && all <= most; i++) {
    const u32 v = front[i];
    u32 k = a->roff[v];
    *edges -= k;
    for (const u32 last = a->roff[v + 1]; k < last && all <= most; k++) {
      const u32 u = a->rto[k], e = a->policy[u];
      if (e == NO_EDGE || a->to[e] != v || a->layer[u] == UNVISITED || a->root[a->region[u]] == u) continue;
      LS_JOIN(invalidate, W)(a, u);
      front[++all] = u;
    }
    *edges += k;
  }
  front[0] = all;
  return all <= most;
}

CPU_LIBRARY(policy_mend) {
  const u32 n = a->n;
  u32 *front = a->front;
  if (a->listed) {
    memcpy(front, a->front_next, (1 + (size_t)a->front_next[0]) * sizeof *front);
  } else {
    const int team = L->serial || n < 1 << 14 ? 1 : L->threads;
    front[0] = 0;
#pragma omp parallel num_threads(team) if (team > 1)
    {
      ls_push_u32 push = {.queue = front, .room = a->n};
#pragma omp for schedule(static) nowait
      for (u32 v = 0; v < n; v++)
        if (LS_JOIN(is_stale, W)(a, v)) ls_push_add_u32(&push, v);
      if (push.used) ls_push_flush_u32(&push);
    }
  }
  u64 edges = 0;
  const bool few = LS_JOIN(collect_stale, W)(a, front, &edges);
  COUNT_EDGES(edges);
  if (!few) return LS_OK;
  WALKER mine = {.a = a};
  bool cycle = false;
  for (u32 i = 1; i <= front[0] && !cycle && !mine.failed; i++)
    if (a->layer[front[i]] == UNVISITED) cycle = LS_JOIN(walk_path, W)(&mine, front[i]) != LS_NO_VERTEX;
  if (mine.overflow) a->overflow[0] = 1;
  ls_free(mine.path);
  if (mine.failed) return ls_fail(LS_EMEM, "policy_mend: out of memory");
  count->mended = cycle ? 0 : front[0];
  return LS_OK;
}
