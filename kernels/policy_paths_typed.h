/* policy_paths for one element type W; included by policy_paths.c. */
ARGS(policy_paths, POLICY_PATHS_ARGS)

#define ARGS_W LS_JOIN(policy_paths_args, W)
#define WALKER LS_JOIN(walker, W)

typedef struct WALKER {
  const ARGS_W *a;
  u32 *path; /* from where the walk began */
  u32 room;
  bool failed, overflow; /* no memory; a sum too large */
  ls_push *cycles;       /* where new ones are listed; NULL: they are known */
} WALKER;

/* Where v's choice leads and what it costs. */
LS_INLINE void LS_JOIN(start, W)(const ARGS_W *a, u32 v) {
  const u32 e = a->policy[v], r = a->region[v];
  if (e == NO_EDGE) {
    a->jump[v] = v;
    a->d[v] = a->d_next[v] = 0;
    a->layer[v] = UNREACHED;
    return;
  }
  a->jump[v] = a->to[e];
  a->d_next[v] = LENGTH(r, e);
  a->layer[v] = UNMET;
  if (a->root[r] != v) return;
  a->d[v] = 0;
  a->layer[v] = 0;
}

static bool LS_JOIN(grow, W)(WALKER *k) {
  const u32 room = k->room ? 2 * k->room : ROOM;
  u32 *path = ls_realloc(k->path, (size_t)room * sizeof *path);
  k->failed = !path;
  if (!path) return false;
  k->path = path;
  k->room = room;
  return true;
}

/* A cycle that v lies on: its smallest vertex is its name. Who comes first sums it up and lists it. */
static void LS_JOIN(found_cycle, W)(WALKER *k, u32 v) {
  const ARGS_W *a = k->a;
  u32 least = v;
  for (u32 x = a->jump[v]; x != v; x = a->jump[x])
    if (x < least) least = x;
  W cost = 0, time = 0;
  u32 x = least;
  do {
    const u32 e = a->policy[x];
    cost = ADD(cost, a->w[e]);
    time = ADD(time, e < a->timed ? a->t[e] : (W)1);
    poke(&a->crown[x], least);
    x = a->jump[x];
  } while (x != least);
  if (hint(&a->seen[least]) || !atomic_claim(&a->seen[least], 0, 1)) return;
  a->cost[least] = cost;
  a->time[least] = time;
  ls_push_add(k->cycles, least);
}

/* From v to what has been walked over, or around a cycle (Brent 1980 finds that it is one); then back along the path. */
LS_INLINE void LS_JOIN(walk, W)(WALKER *k, u32 v) {
  const ARGS_W *a = k->a;
  u32 x = v, depth = 0, earlier = v, turn = 1, layer;
  for (;;) {
    if (depth == k->room && !LS_JOIN(grow, W)(k)) return;
    k->path[depth++] = x;
    x = a->jump[x];
    layer = __atomic_load_n(&a->layer[x], __ATOMIC_ACQUIRE);
    if (layer != UNMET) break;
    if (x == earlier) {
      if (k->cycles) LS_JOIN(found_cycle, W)(k, x);
      layer = UNREACHED;
      break;
    }
    if (depth == turn) earlier = x, turn *= 2;
  }
  if (layer == UNREACHED) {
    while (depth) poke(&a->layer[k->path[--depth]], UNREACHED);
    return;
  }
  for (W sum = peek(&a->d[x]); depth;) {
    x = k->path[--depth];
    sum = ADD(sum, a->d_next[x]);
    if (TOO_LARGE(sum)) k->overflow = true, sum = 0;
    poke(&a->d[x], sum);
    __atomic_store_n(&a->layer[x], 0, __ATOMIC_RELEASE);
  }
}

/* Algorithm 5, as in policy_vote. */
LS_INLINE void LS_JOIN(vote, W)(const ARGS_W *a, u32 v) {
  u32 *best = &a->best[a->region[v]];
  for (;;) {
    const u32 now = peek(best);
    if (now) {
      const int order = COMPARE_MEANS(a->cost[v], a->time[v], a->cost[now - 1], a->time[now - 1]);
      if (order > 0 || (order == 0 && now - 1 <= v)) return;
    }
    if (atomic_claim(best, now, v + 1)) return;
  }
}

/* The cycle v becomes its region's root if it was voted for. */
LS_INLINE void LS_JOIN(crown, W)(const ARGS_W *a, u32 v) {
  const u32 r = a->region[v];
  a->seen[v] = 0;
  if (a->best[r] != v + 1) return;
  LS_JOIN(lambda, W)(a->cost[v], a->time[v], &a->p[r], &a->q[r]);
  a->root[r] = v;
  if (COMPARE_MEANS(a->cost[v], a->time[v], a->bound[0], (W)1) <= 0) poke(a->attained, 1u);
}

/* Is v, which is no root, in a region whose root is new? That one lies on a cycle where all is loose. */
LS_INLINE bool LS_JOIN(renewed, W)(const ARGS_W *a, u32 v) {
  const u32 root = a->root[a->region[v]];
  return a->policy[v] != NO_EDGE && root != v && root != LS_NO_VERTEX && a->layer[root] == UNREACHED;
}

static ls_status LS_JOIN(policy_paths, W)(ls_launch *L) {
  const ls_bind *bind = &L->bind;
  ARGS_W args = {.n = L->n, .m = L->m};
  int k = 0;
  POLICY_PATHS_ARGS(LS_SET, W)
  (void)k;
  const ARGS_W *a = &args;
  const u32 n = L->n;
  const int team = L->serial || n < SMALL ? 1 : L->threads;
  u32 *cycles = args.cycle, *rest = args.rest;
  bool failed = false;
  cycles[0] = rest[0] = 0;
#pragma omp parallel num_threads(team) if (team > 1) reduction(|| : failed)
  {
    ls_push push = {.queue = cycles, .width = 4};
    WALKER mine = {.a = a, .cycles = &push};
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++) LS_JOIN(start, W)(a, v);
#pragma omp for schedule(dynamic, 1024) nowait
    for (u32 v = 0; v < n; v++)
      if (peek(&a->layer[v]) == UNMET && !mine.failed) LS_JOIN(walk, W)(&mine, v);
    if (push.used) ls_push_flush(&push);
#pragma omp barrier
    const u32 found = cycles[0];
    if (found) {
#pragma omp for schedule(static)
      for (u32 i = 0; i < found; i++) LS_JOIN(vote, W)(a, cycles[1 + i]);
#pragma omp for schedule(static)
      for (u32 i = 0; i < found; i++) LS_JOIN(crown, W)(a, cycles[1 + i]);
#pragma omp for schedule(static)
      for (u32 v = 0; v < n; v++)
        if (LS_JOIN(renewed, W)(a, v)) LS_JOIN(start, W)(a, v);
#pragma omp for schedule(static)
      for (u32 i = 0; i < found; i++)
        if (a->root[a->region[cycles[1 + i]]] == cycles[1 + i]) LS_JOIN(start, W)(a, cycles[1 + i]);
      mine.cycles = NULL;
#pragma omp for schedule(dynamic, 1024)
      for (u32 v = 0; v < n; v++)
        if (peek(&a->layer[v]) == UNMET && !mine.failed) LS_JOIN(walk, W)(&mine, v);
      push.queue = rest;
#pragma omp for schedule(static) nowait
      for (u32 v = 0; v < n; v++)
        if (a->layer[v] == UNREACHED && a->policy[v] != NO_EDGE) ls_push_add(&push, v);
      if (push.used) ls_push_flush(&push);
    }
    if (mine.overflow) poke(a->overflow, 1u);
    failed = mine.failed;
    ls_free(mine.path);
  }
  if (failed) return ls_fail(LS_EMEM, "policy_paths: out of memory");
  L->counts[0] = cycles[0];
  L->counts[1] = rest[0];
  return LS_OK;
}

#undef ARGS_W
#undef WALKER
