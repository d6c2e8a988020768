/* The CPU's driver: makes of a body a function that runs it over the whole domain with OpenMP. */
#ifndef DRIVER_CPU_H
#define DRIVER_CPU_H

#include <string.h>

#include "language/kernel.h"
#include "run/launch.h"

/* A queue is filled through a small buffer a thread, so that threads meet at its length rarely. */
struct ls_push {
  void *queue;
  u32 width; /* bytes an item: 4 or 8 */
  u32 used;
  u64 items[256];
};

static inline __attribute__((unused)) void ls_push_flush(ls_push *p) {
  if (p->width == 4) {
    u32 *q = p->queue;
    u32 at = __atomic_fetch_add(q, p->used, __ATOMIC_RELAXED);
    for (u32 i = 0; i < p->used; i++) q[1 + at + i] = (u32)p->items[i];
  } else {
    u64 *q = p->queue;
    u64 at = __atomic_fetch_add(q, p->used, __ATOMIC_RELAXED);
    for (u32 i = 0; i < p->used; i++) q[1 + at + i] = p->items[i];
  }
  p->used = 0;
}

LS_INLINE void ls_push_add(ls_push *p, u64 x) {
  p->items[p->used++] = x;
  if (p->used == sizeof p->items / sizeof *p->items) ls_push_flush(p);
}

static inline __attribute__((unused)) u64 ls_queue_item(const void *q, u32 width, u64 i) {
  return width == 4 ? ((const u32 *)q)[1 + i] : ((const u64 *)q)[1 + i];
}

#define LS_EDGES_OF(name, u)                                                                                 \
  if (LS_JOIN(name##_select, W)(&args, u)) {                                                                 \
    const u32 first = bind->off[u], last = bind->off[u + 1];                                                 \
    count.ls_edges += last - first;                                                                          \
    for (u32 e = first; e < last; e++) LS_JOIN(name##_body, W)(&args, &count, &push, u, e);                  \
  }

/* The lesser of two is chosen without a branch, which nobody could predict. */
#define LS_BEST_OF(name, u)                                                                                  \
  if (LS_JOIN(name##_select, W)(&args, u)) {                                                                 \
    const u32 first = bind->off[u], last = bind->off[u + 1];                                                 \
    u32 at = NO_EDGE;                                                                                        \
    LS_JOIN(name##_scored, W) best = 0;                                                                      \
    count.ls_edges += last - first;                                                                          \
    if (first < last) best = LS_JOIN(name##_score, W)(&args, u, first), at = first;                          \
    for (u32 e = first + 1; e < last; e++) {                                                                 \
      const LS_JOIN(name##_scored, W) score = LS_JOIN(name##_score, W)(&args, u, e);                         \
      const bool better = score < best;                                                                      \
      best = better ? score : best;                                                                          \
      at = better ? e : at;                                                                                  \
    }                                                                                                        \
    LS_JOIN(name##_body, W)(&args, &count, &push, u, at, best);                                              \
  }

/* How each domain is walked: how many items, how many a thread takes at a time, and what is done with one. */
#define LS_ITEMS_VERTEX L->items
#define LS_ITEMS_VERTEX_WALK L->items
#define LS_ITEMS_EDGE L->items
#define LS_ITEMS_TILE L->items
#define LS_ITEMS_VERTEX_EDGES L->items
#define LS_ITEMS_VERTEX_BEST L->items
#define LS_ITEMS_QUEUE ls_queue_items(bind)
#define LS_ITEMS_QUEUE_EDGES ls_queue_items(bind)
enum {
#define DOMAIN(name, own, chunk, short_name, thread) LS_CHUNK_##name = chunk,
#include "language/domains.def"
#undef DOMAIN
};
#define LS_DO_VERTEX(name) LS_JOIN(name##_body, W)(&args, &count, &push, (u32)i);
#define LS_DO_VERTEX_WALK(name) LS_DO_VERTEX(name)
#define LS_DO_EDGE(name) LS_DO_VERTEX(name)
#define LS_DO_TILE(name) LS_DO_VERTEX(name)
#define LS_DO_QUEUE(name) LS_JOIN(name##_body, W)(&args, &count, &push, ls_queue_item(bind->qin, bind->qin_width, (u64)i));
#define LS_DO_VERTEX_EDGES(name) \
  u32 u = (u32)i;                \
  LS_EDGES_OF(name, u)
#define LS_DO_VERTEX_BEST(name) \
  u32 u = (u32)i;               \
  LS_BEST_OF(name, u)
#define LS_DO_QUEUE_EDGES(name)                       \
  u32 u = (u32)ls_queue_item(bind->qin, bind->qin_width, (u64)i); \
  LS_EDGES_OF(name, u)

#define LS_PRAGMA(...) _Pragma(#__VA_ARGS__)

#define CPU_DRIVER(name, ARGS_MACRO, DOMAIN)                                                                \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L);                                           \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L) {                                          \
    enum { CHUNK = LS_CHUNK_##DOMAIN, COUNTS = LS_COUNTS_OF(LS_JOIN(name##_counts, W), DOMAIN) };           \
    _Static_assert((int)COUNTS <= (int)LS_MAX_COUNTS, "too many COUNTs");                                   \
    BOUND_ARGS(name, ARGS_MACRO)                                                                            \
    const i64 items = (i64)LS_ITEMS_##DOMAIN;                                                               \
    const int team = L->serial || items < 4 * CHUNK ? 1 : L->threads;                                          \
    LS_PRAGMA(omp parallel num_threads(team) if (team > 1)) {                                               \
      LS_JOIN(name##_counts, W) count = {0};                                                                \
      ls_push push;                                                                                         \
      push.used = 0, push.queue = bind->qout, push.width = bind->qout_width;                                \
      LS_PRAGMA(omp for schedule(dynamic, CHUNK) nowait)                                                    \
      for (i64 i = 0; i < items; i++) { LS_DO_##DOMAIN(name) }                                              \
      if (push.used) ls_push_flush(&push);                                                                  \
      /* one by one: of a copy of all at once the compiler makes one word, and counts in its halves */      \
      for (int c = 0; c < COUNTS; c++) {                                                                    \
        u32 sum;                                                                                            \
        memcpy(&sum, (const u32 *)&count + c, sizeof sum);                                                  \
        if (sum) __atomic_fetch_add(&L->counts[c], sum, __ATOMIC_RELAXED);                                  \
      }                                                                                                     \
    }                                                                                                       \
    return LS_OK;                                                                                           \
  }

/* The row's argument table, with W left open. */
#define LS_ROW_ARG(role, type, name, ...) LS_ROW_ARG_(role, type, name, __VA_ARGS__, anything, NULL, )
#define LS_ROW_ARG_(role, type, name, extent, contract, bound, ...) \
  {LS_ROLE_##role, LS_TAG_##type, #name, extent, LS_CONTRACT_##contract, bound, LS_AHEAD_##role},
#define LS_ROLE_IN LS_IN
#define LS_ROLE_OFF LS_OFF
#define LS_ROLE_INOUT LS_INOUT
#define LS_ROLE_OUT LS_OUT
#define LS_ROLE_QIN LS_QIN
#define LS_ROLE_QOUT LS_QOUT
#define LS_ROLE_QAHEAD LS_QOUT
#define LS_ROLE_VALUE LS_VALUE
#define LS_ROLE_COUNT LS_COUNT
#define LS_AHEAD_IN false
#define LS_AHEAD_OFF false
#define LS_AHEAD_INOUT false
#define LS_AHEAD_OUT false
#define LS_AHEAD_QIN false
#define LS_AHEAD_QOUT false
#define LS_AHEAD_QAHEAD true
#define LS_AHEAD_VALUE false
#define LS_AHEAD_COUNT false
#define LS_TAG_u8 LS_U8
#define LS_TAG_u16 LS_U16
#define LS_TAG_u32 LS_U32
#define LS_TAG_u64 LS_U64
#define LS_TAG_i16 LS_I16
#define LS_TAG_i32 LS_I32
#define LS_TAG_i64 LS_I64
#define LS_TAG_f32 LS_F32
#define LS_TAG_f64 LS_F64
#define LS_TAG_W LS_W
#define ROW_ARGS(name, ARGS_MACRO)     \
  extern const ls_arg name##_row_args[]; \
  const ls_arg name##_row_args[] = {ARGS_MACRO(LS_ROW_ARG, W){LS_COUNT, LS_NONE, NULL, NULL, LS_CONTRACT_anything, NULL, false}};

#endif
