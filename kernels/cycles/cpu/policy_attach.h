/* policy_attach on a CPU. */
#define ARGS_W LS_JOIN(policy_attach_args, W)

/* Sets the choice of v to e and computes its value. */
LS_INLINE void LS_JOIN(choose_edge, W)(const ARGS_W *a, u32 v, u32 e) {
  const u32 r = a->region[v];
  W sum = ADD(a->d[a->to[e]], LENGTH(r, e));
  if (TOO_LARGE(sum)) store_relaxed(a->overflow, 1u), sum = 0;
  a->policy[v] = e;
  a->d[v] = sum;
}

/* The first edge from v to a vertex of the layer; NO_EDGE if there is none. *edges: the number of edges visited so far. */
LS_INLINE u32 LS_JOIN(edge_to_layer, W)(const ARGS_W *a, u32 v, u32 layer, u64 *edges) {
  for (u32 e = a->off[v], last = a->off[v + 1]; e < last; e++, ++*edges)
    if (load_relaxed(&a->layer[a->to[e]]) == layer) return e;
  return NO_EDGE;
}

/* If v is unreached and has an edge to the layer, assigns v to the next layer, sets its choice and lists it. */
LS_INLINE void LS_JOIN(attach, W)(const ARGS_W *a, u32 v, u32 layer, ls_push_u32 *push, u64 *edges) {
  if (load_relaxed(&a->layer[v]) != UNREACHED) return;
  const u32 e = LS_JOIN(edge_to_layer, W)(a, v, layer, edges);
  if (e == NO_EDGE || !atomic_cas(&a->layer[v], UNREACHED, layer + 1)) return;
  LS_JOIN(choose_edge, W)(a, v, e);
  ls_push_add_u32(push, v);
}

/* Attaches the unreached predecessors of v. layer: the layer of v. */
LS_INLINE void LS_JOIN(expand, W)(const ARGS_W *a, u32 v, u32 layer, ls_push_u32 *push, u64 *edges) {
  *edges += a->roff[v + 1] - a->roff[v];
  for (u32 i = a->roff[v], last = a->roff[v + 1]; i < last; i++) {
    if (i + 16 < last) PREFETCH(&a->layer[a->rto[i + 16]]);
    LS_JOIN(attach, W)(a, a->rto[i], layer, push, edges);
  }
}

CPU_LIBRARY(policy_attach) {
  const u32 loose = a->rest[0], few = 512; /* one thread processes a layer of fewer vertices */
  const int team = L->serial || loose < few ? 1 : L->threads;
  u32 *front = a->front, layer = 1, begin = 0, end = 0; /* the layer is items [begin, end) of front */
  u64 edges = 0;
  front[0] = 0;
#pragma omp parallel num_threads(team) if (team > 1) reduction(+ : edges)
  {
    ls_push_u32 push = {.queue = front, .room = a->n};
#pragma omp for schedule(dynamic, 256) nowait
    for (u32 i = 0; i < loose; i++) LS_JOIN(attach, W)(a, a->rest[1 + i], 0, &push, &edges);
    if (push.used) ls_push_flush_u32(&push);
#pragma omp barrier
    for (;;) {
#pragma omp single
      for (end = front[0]; begin < end && end - begin < few; layer++) {
        for (; begin < end; begin++) LS_JOIN(expand, W)(a, front[1 + begin], layer, &push, &edges);
        if (push.used) ls_push_flush_u32(&push);
        end = front[0];
      }
      if (begin == end) break;
#pragma omp for schedule(dynamic, 64) nowait
      for (u32 i = begin; i < end; i++) LS_JOIN(expand, W)(a, front[1 + i], layer, &push, &edges);
      if (push.used) ls_push_flush_u32(&push);
#pragma omp barrier
#pragma omp single
      {
        begin = end;
        layer++;
      }
    }
  }
  count->attached = front[0];
  COUNT_EDGES(edges);
  return LS_OK;
}
