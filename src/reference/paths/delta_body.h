/* The algorithms of delta_stepping.c for one type D of distances; NAME(x) appends the type to a name. Line
 * numbers are those of Algorithm 1 of the paper that delta_stepping.c names. No include guard:
 * delta_stepping.c includes this file twice, and defines NAME(far), NAME(plus) and NAME(bucket_of) for each
 * type. */

typedef struct NAME(request) { /* offers the distance x to the vertex `to`, over an edge from `from` */
  D x;
  u32 to, from;
} NAME(request);

typedef struct NAME(requests) {
  NAME(request) * item;
  u64 count, room;
} NAME(requests);

typedef struct NAME(run) {
  edges g;
  D delta;
  D *dist;
  u32 *parent;
  u64 buckets;
  u64 *where;           /* [n]: the vertex's bucket, as an index into the cyclic array; NOWHERE: in none */
  u64 *size;            /* [buckets] */
  u64 *head;            /* only sequential: first vertex of each bucket's doubly linked list */
  u32 *next, *prev;     /* [n]: the links of these lists */
  u32 *taken, *kept;    /* [n]: the current bucket's vertices (line 9), and R (line 10) */
  u8 *in_r;             /* [n]: is the vertex in R? */
  NAME(requests) * req; /* [threads * threads]: [thread that found them][thread that relaxes them] */
  int threads;
  bool too_far, out_of_memory;
} NAME(run);

static bool NAME(add)(NAME(requests) * r, NAME(request) x) {
  void *item = ls_grown(r->item, r->count, &r->room, 256, sizeof x);
  if (!item) return false;
  r->item = item;
  r->item[r->count++] = x;
  return true;
}

/* FindRequests for one vertex (lines 15 and 16). found: one list per thread that relaxes. */
static inline void NAME(find)(NAME(run) * r, u32 v, bool light, NAME(requests) * found, bool *too_far,
                              bool *full) {
  const u64 share = ((u64)r->g.n + (u64)r->threads - 1) / (u64)r->threads;
  for (u64 e = r->g.off[v]; e < r->g.off[v + 1]; e++) {
    const D w = NAME(weight)(r->g.w, r->g.wtype, e);
    D x;
    if ((w <= r->delta) != light) continue;
    if (!NAME(plus)(r->dist[v], w, &x)) {
      *too_far = true;
      continue;
    }
    const u32 u = r->g.to[e];
    if (x < r->dist[u] && !NAME(add)(&found[u / share], (NAME(request)){x, u, v})) *full = true;
  }
}

static void NAME(unlink)(NAME(run) * r, u32 v) {
  const u32 before = r->prev[v], after = r->next[v];
  if (after != NONE) r->prev[after] = before;
  if (before != NONE)
    r->next[before] = after;
  else
    r->head[r->where[v]] = after;
}

static void NAME(link)(NAME(run) * r, u32 v) {
  const u32 first = (u32)r->head[r->where[v]];
  r->next[v] = first;
  r->prev[v] = NONE;
  if (first != NONE) r->prev[first] = v;
  r->head[r->where[v]] = v;
}

/* RelaxRequests (lines 17 to 22). No other thread relaxes the targets of these requests. */
static void NAME(relax)(NAME(run) * r, NAME(requests) * list) {
  for (u64 k = 0; k < list->count; k++) {
    const NAME(request) q = list->item[k];
    if (!(q.x < r->dist[q.to])) continue;
    const u64 bucket = NAME(bucket_of)(q.x, r->delta) % r->buckets, before = r->where[q.to];
    r->dist[q.to] = q.x;
    r->parent[q.to] = q.from;
    if (before == bucket) continue;
    if (before != NOWHERE) {
      if (r->head) NAME(unlink)(r, q.to);
      __atomic_sub_fetch(&r->size[before], 1, __ATOMIC_RELAXED);
    }
    r->where[q.to] = bucket;
    if (r->head) NAME(link)(r, q.to);
    __atomic_add_fetch(&r->size[bucket], 1, __ATOMIC_RELAXED);
  }
  list->count = 0;
}

/* Sets *at to the first non-empty bucket from *at on, in cyclic order (line 6). false: all are empty. */
static bool NAME(first_bucket)(const NAME(run) * r, u64 *at) {
  for (u64 k = 0; k < r->buckets; k++, *at = *at + 1 == r->buckets ? 0 : *at + 1)
    if (r->size[*at]) return true;
  return false;
}

/* Algorithm 1 of the paper, with buckets as lists. */
static void NAME(in_sequence)(NAME(run) * r) {
  u64 i = 0;
  while (NAME(first_bucket)(r, &i)) { /* lines 5, 6 */
    u32 kept = 0;
    while (r->size[i]) { /* line 8 */
      u32 taken = 0;
      for (u64 v = r->head[i]; v != NONE; v = r->next[v]) r->taken[taken++] = (u32)v;
      for (u32 k = 0; k < taken; k++) r->where[r->taken[k]] = NOWHERE; /* line 11 */
      r->head[i] = NONE;
      r->size[i] = 0;
      for (u32 k = 0; k < taken; k++) { /* lines 9, 10 */
        const u32 v = r->taken[k];
        NAME(find)(r, v, true, r->req, &r->too_far, &r->out_of_memory);
        if (!r->in_r[v]) r->in_r[v] = 1, r->kept[kept++] = v;
      }
      NAME(relax)(r, r->req); /* line 12 */
    }
    for (u32 k = 0; k < kept; k++) { /* line 13 */
      NAME(find)(r, r->kept[k], false, r->req, &r->too_far, &r->out_of_memory);
      r->in_r[r->kept[k]] = 0;
    }
    NAME(relax)(r, r->req); /* line 14 */
    if (r->out_of_memory) return;
  }
}

/* The paper's section 3.1: every thread scans its own chunk of the vertices for those in the bucket, and
 * relaxes the requests whose targets are in its chunk. */
static void NAME(in_parallel)(NAME(run) * r) {
  const u64 n = r->g.n, share = (n + (u64)r->threads - 1) / (u64)r->threads;
  u64 i = 0;
  bool more = NAME(first_bucket)(r, &i), light = true;
#pragma omp parallel num_threads(r->threads)
  {
    const u64 me = (u64)omp_get_thread_num(), threads = (u64)r->threads;
    const u64 first = me * share < n ? me * share : n, last = first + share < n ? first + share : n;
    while (more) {
      bool too_far = false, full = false;
      u64 gone = 0;
      for (u64 v = first; v < last; v++) {
        if (light ? r->where[v] != i : !r->in_r[v]) continue;
        if (light) r->where[v] = NOWHERE, gone++;
        NAME(find)(r, (u32)v, light, r->req + me * threads, &too_far, &full);
        r->in_r[v] = light;
      }
      if (gone) __atomic_sub_fetch(&r->size[i], gone, __ATOMIC_RELAXED);
      if (too_far) __atomic_store_n(&r->too_far, true, __ATOMIC_RELAXED);
      if (full) __atomic_store_n(&r->out_of_memory, true, __ATOMIC_RELAXED);
#pragma omp barrier
      for (u64 from = 0; from < threads; from++) NAME(relax)(r, &r->req[from * threads + me]);
#pragma omp barrier
#pragma omp single
      {
        if (!light) {
          more = NAME(first_bucket)(r, &i) && !r->out_of_memory;
          light = true;
        } else {
          light = r->size[i] > 0;
        }
      }
    }
  }
}

static ls_status NAME(delta_stepping)(const edges *g, u32 s, D delta, u64 buckets, int threads, D *dist,
                                      u32 *parent, bool *too_far) {
  const u64 n = g->n, lists = (u64)threads * (u64)threads;
  NAME(run)
  r = {.g = *g, .delta = delta, .dist = dist, .parent = parent, .buckets = buckets, .threads = threads};
  r.where = ls_malloc(n * sizeof *r.where);
  r.size = ls_calloc(buckets, sizeof *r.size);
  r.in_r = ls_calloc(n, 1);
  r.req = ls_calloc(lists, sizeof *r.req);
  bool good = r.where && r.size && r.in_r && r.req;
  if (threads == 1) {
    r.head = ls_malloc(buckets * sizeof *r.head);
    r.next = ls_malloc(n * sizeof *r.next);
    r.prev = ls_malloc(n * sizeof *r.prev);
    r.taken = ls_malloc(n * sizeof *r.taken);
    r.kept = ls_malloc(n * sizeof *r.kept);
    good = good && r.head && r.next && r.prev && r.taken && r.kept;
  }
  if (good) {
    memset(r.where, 0xff, n * sizeof *r.where);
    for (u64 b = 0; r.head && b < buckets; b++) r.head[b] = NONE;
    for (u64 v = 0; v < n; v++) dist[v] = NAME(far), parent[v] = NONE; /* lines 2, 3 */
    dist[s] = 0;                                                       /* line 4 */
    r.where[s] = 0;
    r.size[0] = 1;
    if (r.head) NAME(link)(&r, s);
    if (threads == 1)
      NAME(in_sequence)(&r);
    else
      NAME(in_parallel)(&r);
  }
  *too_far = r.too_far;
  for (u64 k = 0; r.req && k < lists; k++) ls_free(r.req[k].item);
  ls_free(r.where), ls_free(r.size), ls_free(r.in_r), ls_free(r.req);
  ls_free(r.head), ls_free(r.next), ls_free(r.prev), ls_free(r.taken), ls_free(r.kept);
  return good && !r.out_of_memory ? LS_OK : LS_EMEM;
}

/* Bellman-Ford by parallel passes over all edges, with vertices distributed in chunks; section 4.3 of the
 * paper. Returns whether the distances stopped changing within n passes. */
static bool NAME(passes)(const edges *g, u32 s, int threads, D *dist, bool *too_far) {
  bool moved = true, far = false;
  for (u64 v = 0; v < g->n; v++) dist[v] = NAME(far);
  dist[s] = 0;
  for (u64 pass = 0; moved && pass <= g->n; pass++) {
    moved = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) reduction(|| : moved, far)
    for (i64 v = 0; v < (i64)g->n; v++) {
      D mine;
      __atomic_load(&dist[v], &mine, __ATOMIC_RELAXED);
      if (mine == NAME(far)) continue;
      for (u64 e = g->off[v]; e < g->off[v + 1]; e++) {
        D x, old;
        if (!NAME(plus)(mine, NAME(weight)(g->w, g->wtype, e), &x)) {
          far = true;
          continue;
        }
        D *at = &dist[g->to[e]];
        __atomic_load(at, &old, __ATOMIC_RELAXED);
        while (x < old &&
               !__atomic_compare_exchange(at, &old, &x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
        moved = moved || x < old;
      }
    }
  }
  *too_far = far;
  return !moved;
}
