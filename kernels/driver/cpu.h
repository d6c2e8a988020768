/* The CPU driver: expands a body into a function that runs it over the whole domain with OpenMP. */
#ifndef DRIVER_CPU_H
#define DRIVER_CPU_H

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/wakeup.h"
#include "core/types.h"

/* The barrier of a GRID row's threads. Barriers may be only microseconds apart, so a waiting thread spins for a few
 * microseconds; then it sleeps, because other programs may need its processor. */
typedef struct ls_meeting {
  u32 here;            /* threads that have arrived */
  const u32 *fault;    /* *fault != 0: a signal has ended a thread, which will never arrive; NULL: signals are not caught */
  void (*leave)(void); /* the waiting threads call it after a fault; it does not return */
  ls_wakeup held;        /* rung when the last thread has arrived */
  u32 apart[13];       /* padding against false sharing */
} ls_meeting;
/* One thread of a GRID row. */
typedef struct ls_grid {
  u32 me, all;     /* the index of this thread; the number of threads */
  u32 held, looks; /* value of ls_wakeup_count at arrival; number of polls since then */
  ls_meeting *meeting;
} ls_grid;
static inline __attribute__((always_inline, unused)) bool ls_grid_arrive(ls_grid *grid) {
  ls_meeting *m = grid->meeting;
  if (grid->all == 1) return false;
  grid->held = ls_wakeup_count(&m->held);
  grid->looks = 0;
  if (__atomic_add_fetch(&m->here, 1, __ATOMIC_ACQ_REL) != grid->all) return true;
  __atomic_store_n(&m->here, 0, __ATOMIC_RELAXED);
  ls_wakeup_wake(&m->held);
  return false;
}
static inline __attribute__((always_inline, unused)) bool ls_grid_waits(ls_grid *grid) {
  if (ls_wakeup_count(&grid->meeting->held) != grid->held) return false;
  if (grid->meeting->fault && __atomic_load_n(grid->meeting->fault, __ATOMIC_ACQUIRE)) grid->meeting->leave();
  if (++grid->looks > LS_WAKEUP_POLLS) ls_wakeup_sleep(&grid->meeting->held, grid->held);
  else ls_wakeup_poll();
  return true;
}
static inline __attribute__((always_inline, unused)) void ls_grid_go_on(ls_grid *grid) { (void)grid; }
static inline __attribute__((always_inline, unused)) u32 ls_me_now(void) {
#ifdef _OPENMP
  return (u32)omp_get_thread_num();
#else
  return 0;
#endif
}
static inline __attribute__((always_inline, unused)) i64 ls_team_now(void) {
#ifdef _OPENMP
  return omp_get_num_threads();
#else
  return 1;
#endif
}

#include "language/kernel.h"
#include "run/launch/launch.h"

/* Each thread fills a queue through a small buffer of its own, so that threads rarely contend for the queue's length.
 * Items that do not fit are counted as lost, and the length of a full queue is set back to its capacity. */
#define LS_PUSH_OF(type) LS_JOIN(ls_push, type)
#define LS_QUEUE_OF(type, length)                                                                           \
  typedef struct LS_PUSH_OF(type) {                                                                         \
    type *queue;                                                                                            \
    u64 room;                                                                                               \
    u32 used, lost;                                                                                         \
    type items[2048 / sizeof(type)];                                                                        \
  } LS_PUSH_OF(type);                                                                                       \
  static inline __attribute__((unused)) void LS_JOIN(ls_push_flush, type)(LS_PUSH_OF(type) * p) {           \
    length *used = (length *)p->queue;                                                                      \
    const u64 at = __atomic_fetch_add(used, p->used, __ATOMIC_RELAXED);                                     \
    const u64 fit = at + p->used <= p->room ? p->used : at < p->room ? p->room - at : 0;                    \
    if (fit < p->used) __atomic_fetch_sub(used, (length)(p->used - fit), __ATOMIC_RELAXED);                 \
    p->lost += p->used - (u32)fit;                                                                          \
    for (u64 i = 0; i < fit; i++) p->queue[1 + at + i] = p->items[i];                                       \
    p->used = 0;                                                                                            \
  }                                                                                                         \
  LS_INLINE void LS_JOIN(ls_push_add, type)(LS_PUSH_OF(type) * p, type x) {                                 \
    p->items[p->used++] = x;                                                                                \
    if (p->used == sizeof p->items / sizeof *p->items) LS_JOIN(ls_push_flush, type)(p);                     \
  }
LS_QUEUE_OF(u32, u32)
LS_QUEUE_OF(u64, u64)
LS_QUEUE_OF(u64x2, u64)
#ifdef __cplusplus /* the checked variant */
LS_INLINE void ls_push_add_any(ls_push_u32 *p, u32 x) { ls_push_add_u32(p, x); }
LS_INLINE void ls_push_add_any(ls_push_u64 *p, u64 x) { ls_push_add_u64(p, x); }
LS_INLINE void ls_push_add_any(ls_push_u64x2 *p, u64x2 x) { ls_push_add_u64x2(p, x); }
LS_INLINE void ls_push_flush_any(ls_push_u32 *p) { ls_push_flush_u32(p); }
LS_INLINE void ls_push_flush_any(ls_push_u64 *p) { ls_push_flush_u64(p); }
LS_INLINE void ls_push_flush_any(ls_push_u64x2 *p) { ls_push_flush_u64x2(p); }
#define LS_OF_QUEUE(function, queue) LS_JOIN(function, any)
#define _Static_assert static_assert
#else
#define LS_OF_QUEUE(function, queue)         \
  _Generic((queue),                          \
      ls_push_u32 *: LS_JOIN(function, u32), \
      ls_push_u64 *: LS_JOIN(function, u64), \
      ls_push_u64x2 *: LS_JOIN(function, u64x2))
#endif
#define PUSH(queue, x) LS_OF_QUEUE(ls_push_add, &push->queue)(&push->queue, x)

/* Applied to each argument of a row: initialise and flush the queues among them. q: index of the queue. */
#define LS_BEGIN_QUEUE(role, type, name, ...) \
  LS_WHEN(FILLED, role, push.name.queue = LS_POINTER(args.name), push.name.room = bind->room[q++], push.name.used = push.name.lost = 0;)
#define LS_END_QUEUE(role, type, name, ...)                                                                 \
  LS_WHEN(FILLED, role, if (push.name.used) LS_OF_QUEUE(ls_push_flush, &push.name)(&push.name);             \
          lost += push.name.lost; full |= (push.name.lost != 0) << q++;)
#define LS_COUNT_LOST(role, type, name, ...) LS_WHEN(LOST, role, count.name += lost;)

#define LS_EDGES_OF(name, u)                                                                                 \
  if (LS_JOIN(name##_select, W)(&args, u)) {                                                                 \
    const ls_row row = LS_JOIN(name##_row, W)(&args, u);                                                     \
    count.ls_edges += row.last - row.first;                                                                  \
    for (u32 e = row.first; e < row.last; e++) LS_JOIN(name##_body, W)(&args, &count, &push, u, e);          \
  }

/* The minimum is selected without a branch, because the branch would be unpredictable. */
#define LS_BEST_OF(name, u)                                                                                  \
  if (LS_JOIN(name##_select, W)(&args, u)) {                                                                 \
    const ls_row row = LS_JOIN(name##_row, W)(&args, u);                                                     \
    u32 at = NO_EDGE;                                                                                        \
    LS_JOIN(name##_scored, W) best = 0;                                                                      \
    count.ls_edges += row.last - row.first;                                                                  \
    if (row.first < row.last) best = LS_JOIN(name##_score, W)(&args, u, row.first), at = row.first;          \
    for (u32 e = row.first + 1; e < row.last; e++) {                                                         \
      const LS_JOIN(name##_scored, W) score = LS_JOIN(name##_score, W)(&args, u, e);                         \
      const bool better = score < best;                                                                      \
      best = better ? score : best;                                                                          \
      at = better ? e : at;                                                                                  \
    }                                                                                                        \
    LS_JOIN(name##_body, W)(&args, &count, &push, u, at, best);                                              \
  }

/* For each domain: the items a thread takes at a time (LS_CHUNK), and how to process one item (LS_DO). */
enum {
#define DOMAIN(name, own, chunk, short_name, thread) LS_CHUNK_##name = chunk,
#include "language/domains.def"
#undef DOMAIN
};
#define LS_DO_VERTEX(name) LS_JOIN(name##_body, W)(&args, &count, &push, (u32)i);
#define LS_DO_VERTEX_WALK(name) LS_DO_VERTEX(name)
#define LS_DO_EDGE(name) LS_DO_VERTEX(name)
#define LS_DO_TILE(name) LS_DO_VERTEX(name)
#define LS_DO_GRID(name)                                             \
  ls_grid grid = {(u32)i, (u32)walked, 0, 0, &shared->meeting};      \
  LS_JOIN(name##_body, W)(&args, &count, &push, &grid);
#define LS_DO_ELEMENT(name) LS_JOIN(name##_body, W)(&args, &count, &push, (u64)i);
#define LS_DO_QUEUE(name) LS_JOIN(name##_body, W)(&args, &count, &push, ((const LS_ITEM(name) *)bind->qin)[1 + i]);
#define LS_DO_VERTEX_EDGES(name) \
  u32 u = (u32)i;                \
  LS_EDGES_OF(name, u)
#define LS_DO_VERTEX_BEST(name) \
  u32 u = (u32)i;               \
  LS_BEST_OF(name, u)
#define LS_DO_QUEUE_EDGES(name)              \
  u32 u = ((const u32 *)bind->qin)[1 + i]; \
  LS_EDGES_OF(name, u)

/* The minimum number of tiles for which all threads are used. The best value depends on the time that a tile takes, so a
 * kernel compiled at run time may redefine it. */
#define LS_TEAM_TILES 4

#define LS_PRAGMA(...) _Pragma(#__VA_ARGS__)

/* Shared by the threads of a launch. */
typedef struct ls_shared_walk {
  i64 items, next; /* next: first item not handed out yet; only with LS_UNIT */
  ls_meeting meeting;
} ls_shared_walk;

/* How a thread iterates over its items. A kernel compiled at run time (LS_UNIT) may cause a signal; its handler ends
 * the thread's work by jumping back to L->guard. A thread must not jump out of an OpenMP loop, so these kernels get
 * their items from a shared counter instead. */
#ifdef LS_UNIT
/* Takes the thread's next items: [w->first, w->past). false: none are left, or a signal has ended a thread. */
static inline __attribute__((always_inline, unused)) bool ls_walk_on(ls_cpu_walk *w, i64 items, i64 chunk) {
  ls_shared_walk *shared = (ls_shared_walk *)w->own;
  if (__atomic_load_n(&w->launch->fault.signal, __ATOMIC_RELAXED)) return false;
  const i64 first = __atomic_fetch_add(&shared->next, chunk, __ATOMIC_RELAXED);
  if (first >= items) return false;
  w->first = (u64)first;
  w->past = (u64)(items - first > chunk ? first + chunk : items);
  return true;
}
#define LS_EACH_ITEM(walked, CHUNK)          \
  while (ls_walk_on(w, walked, CHUNK))       \
    for (i64 i = (i64)w->first, past = (i64)w->past; i < past; i++)
#define LS_GUARDED(L, walk, w) (L)->guard(walk, w)
#define LS_GUARD_MEETING(L, m) ((m).fault = &(L)->fault.signal, (m).leave = (L)->leave)
#else
#define LS_EACH_ITEM(walked, CHUNK)                          \
  LS_PRAGMA(omp for schedule(dynamic, CHUNK) nowait)         \
  for (i64 i = 0; i < walked; i++)
#define LS_GUARDED(L, walk, w) walk(w)
#define LS_GUARD_MEETING(L, m) (void)0
#endif

#ifdef LS_CHECKED
#define LS_MINE (ls_my(0) = ls_my(1) = ~(u64)0, &ls_my(0))
#else
#define LS_MINE NULL
#endif

#define CPU_DRIVER(name, ARGS_MACRO, DOMAIN)                                                                \
  static void LS_JOIN(LS_JOIN(name, W), walk)(void *of) {                                                   \
    enum { CHUNK = LS_CHUNK_##DOMAIN, COUNTS = LS_COUNTS_OF(LS_JOIN(name##_counts, W), DOMAIN) };           \
    ls_cpu_walk *const w = (ls_cpu_walk *)of;                                                               \
    struct ls_launch *const L = w->launch;                                                                  \
    ls_shared_walk *const shared = (ls_shared_walk *)w->own;                                                \
    BOUND_ARGS(name, ARGS_MACRO)                                                                            \
    /* GRID: each OpenMP thread is one item */                                                              \
    const i64 walked = LS_##DOMAIN == LS_GRID ? ls_team_now() : shared->items;                              \
    LS_JOIN(name##_counts, W) count = {0};                                                                  \
    LS_JOIN(name##_queues, W) push;                                                                         \
    u32 q = 0, full = 0, lost = 0;                                                                          \
    ARGS_MACRO(LS_BEGIN_QUEUE, W)                                                                           \
    LS_EACH_ITEM(walked, CHUNK) { LS_DO_##DOMAIN(name) }                                                    \
    q = 0;                                                                                                  \
    ARGS_MACRO(LS_END_QUEUE, W)                                                                             \
    ARGS_MACRO(LS_COUNT_LOST, W)                                                                            \
    (void)push, (void)q, (void)lost, (void)shared;                                                          \
    if (full) __atomic_fetch_or(&L->full, full, __ATOMIC_RELAXED);                                          \
    /* one memcpy per counter: with a single one, gcc packs two counters into a word and counts in its halves */ \
    for (int c = 0; c < COUNTS; c++) {                                                                      \
      u32 sum;                                                                                              \
      memcpy(&sum, (const u32 *)&count + c, sizeof sum);                                                    \
      if (sum) __atomic_fetch_add(&L->counts[c], sum, __ATOMIC_RELAXED);                                    \
    }                                                                                                       \
  }                                                                                                         \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L);                                           \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L) {                                          \
    enum { CHUNK = LS_CHUNK_##DOMAIN, COUNTS = LS_COUNTS_OF(LS_JOIN(name##_counts, W), DOMAIN) };           \
    _Static_assert((int)COUNTS <= (int)LS_MAX_COUNTS, "too many COUNTs");                                   \
    const ls_bind *bind = &L->bind;                                                                         \
    const bool queue = LS_##DOMAIN == LS_QUEUE || LS_##DOMAIN == LS_QUEUE_EDGES;                            \
    const i64 items = (i64)(queue ? ls_queue_items(bind) : L->items);                                       \
    const int team = L->serial || items < (LS_##DOMAIN == LS_TILE ? LS_TEAM_TILES : 4 * CHUNK) ? 1 : L->threads; \
    ls_shared_walk shared = {items, 0, {0}};                                                                \
    LS_GUARD_MEETING(L, shared.meeting);                                                                    \
    (void)bind;                                                                                             \
    LS_PRAGMA(omp parallel num_threads(team) if (team > 1)) {                                               \
      ls_cpu_walk w = {L, &shared, 0, 0, LS_MINE};                                                          \
      LS_GUARDED(L, LS_JOIN(LS_JOIN(name, W), walk), &w);                                                   \
    }                                                                                                       \
    return LS_OK;                                                                                           \
  }

#endif
