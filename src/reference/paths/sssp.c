/* Shortest paths from one vertex: Dijkstra 1959 with a 4-ary heap, and Bellman-Ford in Moore's queue form
 * (1959), which finds a negative cycle in the graph of parents. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "reference/reference.h"
#include "reference/weights.h"

/* The state of a search. */
typedef struct run {
  edges g;
  u32 s;
  void *dist; /* the same pointer as di, which is used for integers, and df, which is used for reals */
  i64 *di;
  f64 *df;
  u32 *parent;
  u32 *heap, *place; /* Dijkstra: heap[place[v]] = v; LS_NO_VERTEX: v is not in the heap */
  u32 *queue;        /* Bellman-Ford: a ring buffer of n */
  u8 *waiting;       /* Bellman-Ford: is the vertex in the queue? */
  bool too_far;      /* a sum overflowed, which matters only if no other path reaches the vertex */
} run;

static bool any_negative(const edges *g) {
  bool real = ls_dtype_is_real(g->wtype), negative = false;
  for (u64 e = 0; e < g->m; e++)
    negative |= real ? weight_f(g->w, g->wtype, e) < 0 : weight_i(g->w, g->wtype, e) < 0;
  return negative;
}

/* --- Dijkstra ---------------------------------------------------------------------------------------- */

/* Non-negative doubles are ordered like their bits, so one heap serves both types of distance. */
static inline i64 key(const run *r, u32 v) {
  i64 k;
  memcpy(&k, (const u8 *)r->dist + v * sizeof k, sizeof k);
  return k;
}

static u32 sift_up(run *r, u32 i) {
  u32 v = r->heap[i];
  i64 k = key(r, v);
  while (i > 0) {
    u32 up = (i - 1) / 4;
    if (key(r, r->heap[up]) <= k) break;
    r->place[r->heap[i] = r->heap[up]] = i;
    i = up;
  }
  r->heap[i] = v;
  return r->place[v] = i;
}

static u32 pop(run *r, u32 *size) {
  u32 least = r->heap[0], v = r->heap[--*size];
  r->place[least] = LS_NO_VERTEX;
  if (*size == 0) return least;
  i64 k = key(r, v);
  u64 i = 0, n = *size;
  for (u64 first; (first = 4 * i + 1) < n;) {
    u64 child = first;
    for (u64 c = first + 1; c < first + 4 && c < n; c++)
      if (key(r, r->heap[c]) < key(r, r->heap[child])) child = c;
    if (key(r, r->heap[child]) >= k) break;
    r->place[r->heap[i] = r->heap[child]] = (u32)i;
    i = child;
  }
  r->place[r->heap[i] = v] = (u32)i;
  return least;
}

static inline __attribute__((always_inline)) void dijkstra(run *r, ls_dtype wtype) {
  bool real = wtype == LS_F32 || wtype == LS_F64;
  u32 size = 1;
  r->heap[0] = r->s;
  r->place[r->s] = 0;
  while (size > 0) {
    u32 v = pop(r, &size);
    for (u64 e = r->g.off[v]; e < r->g.off[v + 1]; e++) {
      u32 u = r->g.to[e];
      if (real) {
        f64 d = r->df[v] + weight_f(r->g.w, wtype, e);
        r->too_far |= d == INFINITY;
        if (!(d < r->df[u])) continue;
        r->df[u] = d;
      } else {
        i64 d;
        if (__builtin_add_overflow(r->di[v], weight_i(r->g.w, wtype, e), &d) || d == INT64_MAX) {
          r->too_far = true;
          continue;
        }
        if (d >= r->di[u]) continue;
        r->di[u] = d;
      }
      r->parent[u] = v;
      if (r->place[u] == LS_NO_VERTEX) r->heap[r->place[u] = size++] = u;
      sift_up(r, r->place[u]);
    }
  }
}

/* --- Bellman-Ford ------------------------------------------------------------------------------------ */

/* Do the parents form a cycle? marks: u32[n]. */
static bool parent_cycle(const run *r, u32 *marks) {
  memset(marks, 0, (size_t)r->g.n * sizeof *marks);
  for (u32 root = 0; root < r->g.n; root++) {
    u32 v = root;
    while (v != LS_NO_VERTEX && !marks[v]) marks[v] = root + 1, v = r->parent[v];
    if (v != LS_NO_VERTEX && marks[v] == root + 1) return true;
  }
  return false;
}

/* Makes the error if the distance of u via v is below the range of its type: either there is a negative
 * cycle (LS_EARG, named later), or the path really has that weight. */
static ls_status too_low(const run *r, u32 u, u32 v, u32 *marks) {
  r->parent[u] = v;
  if (parent_cycle(r, marks)) return LS_EARG;
  return ls_fail(LS_EOVERFLOW, "the distance of vertex %u is below %s", u,
                 ls_dtype_is_real(r->g.wtype) ? "what f64 holds" : "-2^63");
}

static inline __attribute__((always_inline)) ls_status bellman_ford(run *r, u32 *marks, ls_dtype wtype) {
  bool real = wtype == LS_F32 || wtype == LS_F64;
  u32 n = r->g.n, head = 0, count = 1;
  u64 relaxed = 0;
  r->queue[0] = r->s;
  r->waiting[r->s] = 1;
  while (count > 0) {
    u32 v = r->queue[head];
    head = head + 1 == n ? 0 : head + 1;
    count--;
    r->waiting[v] = 0;
    for (u64 e = r->g.off[v]; e < r->g.off[v + 1]; e++) {
      u32 u = r->g.to[e];
      if (real) {
        f64 w = weight_f(r->g.w, wtype, e), d = r->df[v] + w;
        /* ignores decreases within the rounding error: else a cycle of weight 0 could be followed for ever */
        f64 rounding = 4 * DBL_EPSILON * fabs(r->df[v]) + 4 * DBL_EPSILON * fabs(w);
        r->too_far |= d == INFINITY;
        if (!(d < r->df[u]) || (r->df[u] < INFINITY && d >= r->df[u] - rounding)) continue;
        if (d == -INFINITY) return too_low(r, u, v, marks);
        r->df[u] = d;
      } else {
        i64 w = weight_i(r->g.w, wtype, e), d;
        bool left = __builtin_add_overflow(r->di[v], w, &d);
        if (left && w < 0) return too_low(r, u, v, marks);
        if (left || d == INT64_MAX) {
          r->too_far = true;
          continue;
        }
        if (d >= r->di[u]) continue;
        r->di[u] = d;
      }
      r->parent[u] = v;
      if (!r->waiting[u]) {
        u64 tail = (u64)head + count++;
        r->queue[tail < n ? tail : tail - n] = u;
        r->waiting[u] = 1;
      }
      if ((++relaxed % n == 0 || u == r->s) && parent_cycle(r, marks)) return LS_EARG;
    }
  }
  return LS_OK;
}

/* --- both -------------------------------------------------------------------------------------------- */

ls_status ls_settle_far(const edges *g, bool real, const void *dist, bool too_far) {
  for (u32 v = 0; too_far && v < g->n; v++) {
    if (real ? ((const f64 *)dist)[v] == INFINITY : ((const i64 *)dist)[v] == INT64_MAX) continue;
    for (u64 e = g->off[v]; e < g->off[v + 1]; e++) {
      const u32 u = g->to[e];
      if (real ? ((const f64 *)dist)[u] == INFINITY : ((const i64 *)dist)[u] == INT64_MAX)
        return ls_fail(LS_EOVERFLOW, "the distance of vertex %u does not fit %s", u,
                       real ? "f64" : "63 bits");
    }
  }
  return LS_OK;
}

static ls_status begin_run(run *r, ls_graph *g, u32 s, void *dist, u32 *parent) {
  ls_status st = edges_of(g, &r->g);
  if (st) return st;
  if (s >= g->n) return ls_fail(LS_EARG, "source %u is not a vertex: n = %u", s, g->n);
  r->s = s;
  r->dist = dist;
  r->di = dist;
  r->df = dist;
  r->parent = parent;
  bool real = ls_dtype_is_real(g->wtype);
  for (u32 v = 0; v < g->n; v++) {
    parent[v] = LS_NO_VERTEX;
    if (real)
      r->df[v] = INFINITY;
    else
      r->di[v] = INT64_MAX;
  }
  memset((u8 *)dist + s * sizeof(i64), 0, sizeof(i64)); /* 0, as an i64 or as an f64 */
  return LS_OK;
}

ls_status ls_dijkstra(ls_graph *g, u32 s, void *dist, u32 *parent) {
  run r = {0};
  ls_status st = begin_run(&r, g, s, dist, parent);
  if (st) return st;
  if (any_negative(&r.g)) return ls_bellman_ford(g, s, dist, parent);
  r.heap = ls_malloc((size_t)g->n * sizeof *r.heap);
  r.place = ls_malloc((size_t)g->n * sizeof *r.place);
  st = r.heap && r.place ? LS_OK : LS_EMEM;
  if (!st) {
    memset(r.place, 0xff, (size_t)g->n * sizeof *r.place);
    switch (g->wtype) {
    case LS_I32: dijkstra(&r, LS_I32); break;
    case LS_I64: dijkstra(&r, LS_I64); break;
    case LS_F32: dijkstra(&r, LS_F32); break;
    case LS_F64: dijkstra(&r, LS_F64); break;
    default: dijkstra(&r, LS_NONE); break;
    }
    st = ls_settle_far(&r.g, ls_dtype_is_real(g->wtype), dist, r.too_far);
  }
  ls_free(r.heap);
  ls_free(r.place);
  return st;
}

ls_status ls_bellman_ford(ls_graph *g, u32 s, void *dist, u32 *parent) {
  run r = {0};
  ls_status st = begin_run(&r, g, s, dist, parent);
  if (st) return st;
  u32 *marks = ls_malloc((size_t)g->n * sizeof *marks);
  r.queue = ls_malloc((size_t)g->n * sizeof *r.queue);
  r.waiting = ls_calloc(g->n, 1);
  st = marks && r.queue && r.waiting ? LS_OK : LS_EMEM;
  if (!st) {
    switch (g->wtype) {
    case LS_I32: st = bellman_ford(&r, marks, LS_I32); break;
    case LS_I64: st = bellman_ford(&r, marks, LS_I64); break;
    case LS_F32: st = bellman_ford(&r, marks, LS_F32); break;
    case LS_F64: st = bellman_ford(&r, marks, LS_F64); break;
    default: st = bellman_ford(&r, marks, LS_NONE); break;
    }
    if (!st) st = ls_settle_far(&r.g, ls_dtype_is_real(g->wtype), dist, r.too_far);
    /* Over reals it may have missed a negative cycle whose weight is within the rounding error, or taken a
     * cycle of weight about 0 for negative. */
    if (ls_dtype_is_real(g->wtype) || st == LS_EARG) st = ls_settle_negative(g, s, st);
  }
  ls_free(marks);
  ls_free(r.queue);
  ls_free(r.waiting);
  return st;
}
