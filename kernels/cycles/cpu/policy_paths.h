/* policy_paths on a CPU. */
#define ARGS_W LS_JOIN(policy_paths_args, W)
#include "cycles/cpu/policy_walker.h"

/* Does for v what policy_links does, and sets the layer of v: UNREACHED if it has no choice, 0 if it is a root, else UNVISITED. */
LS_INLINE void LS_JOIN(reset_vertex, W)(const ARGS_W *a, u32 v) {
  const u32 e = a->policy[v], r = a->region[v];
  if (e == NO_EDGE) {
    a->jump[v] = v;
    a->d[v] = 0;
    a->layer[v] = UNREACHED;
    return;
  }
  a->jump[v] = a->to[e];
  a->d_next[v] = LENGTH(r, e);
  a->layer[v] = UNVISITED;
  if (a->root[r] != v) return;
  a->d[v] = 0;
  a->layer[v] = 0;
}

/* Sums weight and time of the cycle through v. The first thread to handle a cycle lists its smallest vertex. */
static void LS_JOIN(list_cycle, W)(const ARGS_W *a, u32 v, ls_push_u32 *push) {
  u32 least = v;
  for (u32 x = a->jump[v]; x != v; x = a->jump[x])
    if (x < least) least = x;
  W cost = 0, time = 0;
  u32 x = least;
  do {
    const u32 e = a->policy[x];
    if (e == NO_EDGE) return; /* possible only if a user wrote to `layer` or `jump` */
    cost = ADD(cost, a->w[e]);
    time = ADD(time, EDGE_TIME(e));
    store_relaxed(&a->crown[x], least);
    x = a->jump[x];
  } while (x != least);
  if (load_cached(&a->seen[least]) || !atomic_cas(&a->seen[least], 0, 1)) return;
  a->cost[least] = cost;
  a->time[least] = time;
  ls_push_add_u32(push, least);
}

/* If the cycle of v has won the vote, sets lambda and root of its region, as policy_lambda does. */
LS_INLINE void LS_JOIN(set_lambda, W)(const ARGS_W *a, u32 v) {
  const u32 r = a->region[v];
  a->seen[v] = 0;
  if (a->best[r] != v + 1) return;
  LS_JOIN(lambda, W)(a->cost[v], a->time[v], &a->p[r], &a->q[r]);
  a->root[r] = v;
  if (COMPARE_MEANS(a->cost[v], a->time[v], a->bound[0], (W)1) <= 0) store_relaxed(a->attained, 1u);
}

/* Is v in a region with a new root, and not the root itself? A new root, like the other vertices of its cycle, is
 * still UNREACHED. */
LS_INLINE bool LS_JOIN(has_new_root, W)(const ARGS_W *a, u32 v) {
  const u32 root = a->root[a->region[v]];
  return a->policy[v] != NO_EDGE && root != v && root != LS_NO_VERTEX && a->layer[root] == UNREACHED;
}

CPU_LIBRARY(policy_paths) {
  const u32 n = a->n;
  const int team = L->serial || n < 1 << 11 ? 1 : L->threads;
  u32 *cycles = a->cycle, *rest = a->rest;
  bool failed = false;
  u64 edges = 0;
  cycles[0] = rest[0] = 0;
#pragma omp parallel num_threads(team) if (team > 1) reduction(|| : failed) reduction(+ : edges)
  {
    ls_push_u32 push = {.queue = cycles, .room = a->n};
    WALKER mine = {.a = a};
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++)
      if (a->work[a->region[v]]) LS_JOIN(reset_vertex, W)(a, v);
    /* guided: large chunks first, so that threads start far apart and seldom follow the same path */
#pragma omp for schedule(guided, 1024) nowait
    for (u32 v = 0; v < n; v++) {
      if (load_relaxed(&a->layer[v]) != UNVISITED || mine.failed) continue;
      const u32 x = LS_JOIN(walk_path, W)(&mine, v);
      if (x != LS_NO_VERTEX) LS_JOIN(list_cycle, W)(a, x, &push);
    }
    if (push.used) ls_push_flush_u32(&push);
#pragma omp barrier
    const u32 found = cycles[0];
    if (found) {
#pragma omp for schedule(static)
      for (u32 i = 1; i <= found; i++)
        LS_JOIN(vote_least_mean, W)(&a->best[a->region[cycles[i]]], cycles[i], a->cost, a->time, LS_NO_ARRAY(const u32));
#pragma omp for schedule(static)
      for (u32 i = 1; i <= found; i++) LS_JOIN(set_lambda, W)(a, cycles[i]);
#pragma omp for schedule(static)
      for (u32 v = 0; v < n; v++)
        if (LS_JOIN(has_new_root, W)(a, v)) LS_JOIN(reset_vertex, W)(a, v);
#pragma omp for schedule(static)
      for (u32 i = 1; i <= found; i++) {
        const u32 v = cycles[i], r = a->region[v];
        if (a->root[r] != v) continue;
        LS_JOIN(vote_least_mean, W)(&a->optimum[0], r, a->p, a->q, a->root);
        LS_JOIN(reset_vertex, W)(a, v);
      }
#pragma omp for schedule(guided, 1024)
      for (u32 v = 0; v < n; v++)
        if (load_relaxed(&a->layer[v]) == UNVISITED && !mine.failed) LS_JOIN(walk_path, W)(&mine, v);
      push.queue = rest;
#pragma omp for schedule(static) nowait
      for (u32 v = 0; v < n; v++)
        if (a->layer[v] == UNREACHED && a->policy[v] != NO_EDGE) ls_push_add_u32(&push, v);
      if (push.used) ls_push_flush_u32(&push);
    }
    if (mine.overflow) store_relaxed(a->overflow, 1u);
    failed = mine.failed;
    edges = mine.edges;
    ls_free(mine.path);
  }
  if (failed) return ls_fail(LS_EMEM, "policy_paths: out of memory");
  count->cycles = cycles[0];
  count->loose = rest[0];
  COUNT_EDGES(edges);
  return LS_OK;
}
