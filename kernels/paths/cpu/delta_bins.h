/* delta_bins on a CPU: delta-stepping with one set of bins per thread.
 *
 * A bin holds the vertices of a bucket, each with the distance that put it there; the item is stale once the vertex has a lower
 * distance. Every thread fills its own bins. A round takes the first bucket in which any thread has items: the threads publish
 * these bins as shares, and each thread processes its own share first, then what is left of the others' shares. If a thread
 * meanwhile finds items for the same bucket, it processes them itself as long as they are few, so that a small bucket, as on
 * road networks, needs no barrier (bucket fusion). If rounds have too few items for the number of threads, a round takes 2, 4,
 * ... buckets at a time: more vertices are expanded twice, but there are fewer barriers. If all bins together hold few items,
 * as along chains, one thread continues alone.
 * There are OPEN bins. Items with distances beyond them go to one more bin; when all others are empty, it is distributed over
 * the bins.
 *
 * Data that will be needed soon is prefetched in a pipeline: offsets first, then edges, then the distances of targets. */
#include <omp.h>

#include "core/mem.h"
#include "core/wait.h"
#include "paths/paths.h"

#ifndef DELTA_BINS
#define DELTA_BINS
enum {
  OPEN = 512, /* number of bins; bin OPEN holds the distances beyond them */
  SHARE = 64, /* maximum number of items that a thread takes at a time */
  FEW = 1024, /* maximum number of items of a bucket that a thread processes itself (bucket fusion) */
  LITTLE = 512, /* if all bins together hold at most this many items, one thread works alone until a bucket has more */
  FEW_EDGES = 16384, /* a thread that works by itself stops after this many edges of a bucket, so that others share a hub's neighbours */
  MEAGRE = 8, /* if a round expands fewer than MEAGRE * threads^2 vertices, the next one takes twice as many buckets */
  AMPLE = 64, /* if a round expands more than AMPLE * threads^2, the next one takes half as many */
  WIDEST = 8, /* maximum number of buckets in a round */
  MANY_ROUNDS = 31, /* after FEW_EDGES has stopped a thread that worked alone, all work together for at most this many rounds */
  OFFSETS_AHEAD = 12,
  EDGES_AHEAD = 8,
  TARGETS_AHEAD = 4,
  DISTANCES_AHEAD = 8,
  FIRST_TARGETS = 4
};
enum { GO_ON, GIVE_UP, ENOUGH }; /* values of `stop`; ENOUGH: all requested distances are final */
#endif

#define ARGS_W LS_JOIN(delta_bins_args, W)
#define ITEM LS_JOIN(bin_item, W)
#define BIN LS_JOIN(bin, W)
#define SHARED LS_JOIN(bins_of_thread, W)
#define SEARCHER LS_JOIN(bins_searcher, W)
#define WAITS LS_JOIN(bins_waits, W)

typedef struct ITEM {
  W d;
  u32 v;
} ITEM;

typedef struct BIN {
  ITEM *items;
  u64 used, room;
} BIN;

/* The part of a thread's state that other threads read. Padded against false sharing. */
typedef struct SHARED {
  BIN share;
  u64 taken; /* items of the share that have been handed out */
  u64 pending; /* items in all bins of the thread */
  u32 vote;  /* the thread's first non-empty bin; OPEN + 1: all are empty */
  W least;   /* least distance in bin OPEN; after the search: in all bins; thread 0, after it has worked alone: its `base` */
  u32 expanded;
  bool hubs; /* thread 0: did it stop working alone because a bucket of few items had many edges? */
  u8 apart[64];
} SHARED;

typedef struct SEARCHER {
  const ARGS_W *a;
  W base; /* the distance at which bin 0 begins */
  f64 inverse; /* 1 / delta */
  bool alone, failed;
  u32 expanded, improved;
  u64 edges; /* visited */
  BIN bins[OPEN + 1];
} SEARCHER;

LS_INLINE void LS_JOIN(bin_add, W)(SEARCHER *s, BIN *b, W d, u32 v) {
  if (b->used == b->room) {
    const u64 room = b->room ? 2 * b->room : 64;
    ITEM *items = ls_realloc(b->items, room * sizeof *items);
    if (!items) {
      s->failed = true;
      return;
    }
    b->items = items, b->room = room;
  }
  b->items[b->used++] = (ITEM){d, v};
}

/* The bin of distance d. Rounding does no harm: it is monotonic, so a lower distance never gets a later bin. */
LS_INLINE BIN *LS_JOIN(bin_of, W)(SEARCHER *s, W d) {
  const f64 at = (f64)(d - s->base) * s->inverse;
  return &s->bins[at < OPEN ? (u32)at : OPEN];
}

/* Relaxes the edges of an item's vertex unless the item is stale. Returns how many edges it scanned. */
LS_INLINE u32 LS_JOIN(bin_expand, W)(SEARCHER *s, ITEM item) {
  const ARGS_W *a = s->a;
  W *const dist = a->dist;
  if (load_relaxed(&dist[item.v]) < item.d) return 0; /* stale */
  const u32 first = a->off[item.v], last = a->off[item.v + 1];
  s->expanded++;
  s->edges += last - first;
  for (u32 e = first; e < last; e++) {
    const u32 t = a->to[e];
    if (last - e > DISTANCES_AHEAD) PREFETCH(&dist[a->to[e + DISTANCES_AHEAD]]);
    const W reached = ONWARD(item.d, a->w[e], a->overflow);
    if (!(reached < load_relaxed(&dist[t]))) continue;
    if (s->alone)
      dist[t] = reached;
    else if (!(reached < atomic_min(&dist[t], reached)))
      continue;
    s->improved++;
    if (reached <= a->cutoff) LS_JOIN(bin_add, W)(s, LS_JOIN(bin_of, W)(s, reached), reached, t);
  }
  return last - first;
}

/* While item i is processed, prefetches data of the items after it, up to `end`. */
LS_INLINE void LS_JOIN(bin_prefetch, W)(const ARGS_W *a, const ITEM *items, u64 i, u64 end) {
  if (i + OFFSETS_AHEAD < end) {
    PREFETCH(&a->off[items[i + OFFSETS_AHEAD].v]);
    PREFETCH(&a->dist[items[i + OFFSETS_AHEAD].v]);
  }
  if (i + EDGES_AHEAD < end) {
    const u32 first = a->off[items[i + EDGES_AHEAD].v];
    PREFETCH(&a->to[first]);
    PREFETCH(&a->w[first]);
  }
  if (i + TARGETS_AHEAD < end) {
    const u32 u = items[i + TARGETS_AHEAD].v, first = a->off[u], last = a->off[u + 1];
    for (u32 e = first; e < last && e < first + FIRST_TARGETS; e++) PREFETCH(&a->dist[a->to[e]]);
  }
}

/* Is d lower than all distances of the current bucket and of later ones? */
LS_INLINE bool LS_JOIN(is_final, W)(SEARCHER *s, W d, u32 bucket) {
  return d < s->base || LS_JOIN(bin_of, W)(s, d) < &s->bins[bucket];
}

/* Are all requested distances final (the targets', and those of the `nearest` closest vertices)? *left: only the first *left
 * targets may not be final yet. *counted: how many vertices had been expanded when the final distances were last counted. Because
 * counting is a pass over all vertices, it is done only after `nearest` expansions, then each time they have grown by a quarter. */
static bool LS_JOIN(is_enough, W)(SEARCHER *s, const SHARED *all, u32 threads, u32 bucket, u64 *left, u64 *counted) {
  const ARGS_W *a = s->a;
  if (!*left && !a->nearest) return false;
  while (*left && LS_JOIN(is_final, W)(s, a->dist[a->target[*left - 1]], bucket)) --*left;
  if (*left) return false;
  if (!a->nearest) return true;
  u64 expanded = 0, settled = 0;
  for (u32 k = 0; k < threads; k++) expanded += load_relaxed(&all[k].expanded);
  if (expanded < a->nearest || expanded < *counted + *counted / 4) return false;
  *counted = expanded;
  for (u32 v = 0; v < a->n; v++) settled += LS_JOIN(is_final, W)(s, load_relaxed(&a->dist[v]), bucket);
  return settled >= a->nearest;
}

/* Processes a bin of the current buckets, as long as at most `items` items are left and at most `edges` edges were scanned. */
static void LS_JOIN(bin_finish, W)(SEARCHER *s, BIN *b, u64 items, u64 edges) {
  u64 i = 0, gone = 0;
  while (i < b->used && b->used - i <= items && gone <= edges) {
    LS_JOIN(bin_prefetch, W)(s->a, b->items, i, b->used);
    gone += LS_JOIN(bin_expand, W)(s, b->items[i++]);
  }
  if (b->used > i) memmove(b->items, b->items + i, (b->used - i) * sizeof *b->items);
  b->used -= i;
}

/* Processes the thread's own share, then what is left of the others'. items: the number of items in all shares. */
static void LS_JOIN(bin_take_shares, W)(SEARCHER *s, SHARED *all, u32 me, u32 threads, u64 items) {
  const u64 fair = items / (8 * threads) + 1, some = fair < SHARE ? fair : SHARE;
  for (u32 k = 0; k < threads; k++) {
    SHARED *other = &all[(me + k) % threads];
    const u64 used = other->share.used;
    while (load_relaxed(&other->taken) < used) {
      const u64 first = __atomic_fetch_add(&other->taken, some, __ATOMIC_RELAXED);
      if (first >= used) break;
      const u64 end = first + some < used ? first + some : used;
      for (u64 i = first; i < end; i++) {
        LS_JOIN(bin_prefetch, W)(s->a, other->share.items, i, used);
        LS_JOIN(bin_expand, W)(s, other->share.items[i]);
      }
    }
  }
}

/* Returns the least distance of a bin, ignoring and removing stale items. */
static W LS_JOIN(bin_least, W)(SEARCHER *s, BIN *b) {
  W least = NO_PATH;
  u64 kept = 0;
  for (u64 i = 0; i < b->used; i++) {
    const ITEM item = b->items[i];
    if (load_relaxed(&s->a->dist[item.v]) < item.d) continue;
    b->items[kept++] = item;
    if (item.d < least) least = item.d;
  }
  b->used = kept;
  return least;
}

/* Moves bin 0 to `base` and distributes the items of bin OPEN over the bins. */
static void LS_JOIN(bin_share_out, W)(SEARCHER *s, W base) {
  BIN beyond = s->bins[OPEN];
  s->bins[OPEN] = (BIN){0};
  s->base = base;
  for (u64 i = 0; i < beyond.used; i++)
    LS_JOIN(bin_add, W)(s, LS_JOIN(bin_of, W)(s, beyond.items[i].d), beyond.items[i].d, beyond.items[i].v);
  ls_free(beyond.items);
}

/* The conditions that end the search early. Used by thread 0. */
typedef struct WAITS {
  u64 targets, counted; /* is_enough's `left` and `counted` */
  u32 *stop;
} WAITS;

/* Sets *w->stop if the search is to end. Called by thread 0 before each bucket. */
static void LS_JOIN(bin_ask, W)(SEARCHER *s, const SHARED *all, u32 threads, u32 bucket, WAITS *w) {
  if (s->failed || ls_interrupted())
    store_relaxed(w->stop, (u32)GIVE_UP);
  else if (LS_JOIN(is_enough, W)(s, all, threads, bucket, &w->targets, &w->counted))
    store_relaxed(w->stop, (u32)ENOUGH);
}

/* Processes buckets with this thread only, until one has more than `most` items or more than `edges` edges. Returns the number
 * of buckets processed. */
static u32 LS_JOIN(bin_alone, W)(SEARCHER *s, SHARED *all, u32 threads, u32 *bucket, u64 most, u64 edges, WAITS *w) {
  u32 buckets = 0;
  s->alone = true;
  for (;;) {
    while (*bucket <= OPEN && !s->bins[*bucket].used) ++*bucket;
    store_relaxed(&all[0].expanded, s->expanded);
    LS_JOIN(bin_ask, W)(s, all, threads, *bucket, w);
    if (*bucket > OPEN || *w->stop != GO_ON) break;
    if (*bucket == OPEN) {
      LS_JOIN(bin_share_out, W)(s, LS_JOIN(bin_least, W)(s, &s->bins[OPEN]));
      *bucket = 0;
      continue;
    }
    if (s->bins[*bucket].used > most) break;
    buckets++;
    LS_JOIN(bin_finish, W)(s, &s->bins[*bucket], UINT64_MAX, edges);
    if (s->bins[*bucket].used) break;
  }
  s->alone = threads == 1;
  return buckets;
}

/* Moves the items of bins [first, end) into the thread's share. */
static void LS_JOIN(bin_give, W)(SEARCHER *s, SHARED *mine, u32 first, u32 end) {
  const BIN empty = mine->share;
  mine->share = s->bins[first];
  mine->taken = 0;
  s->bins[first] = (BIN){empty.items, 0, empty.room};
  for (u32 k = first + 1; k < end; k++) {
    BIN *b = &s->bins[k];
    for (u64 i = 0; i < b->used; i++) LS_JOIN(bin_add, W)(s, &mine->share, b->items[i].d, b->items[i].v);
    b->used = 0;
  }
}

/* The search, as run by each thread. Returns the number of buckets. */
static u32 LS_JOIN(bin_search, W)(SEARCHER *s, SHARED *all, u32 me, u32 threads, u64 targets, u32 *stop) {
  SHARED *mine = &all[me];
  WAITS w = {.targets = targets, .stop = stop};
  u32 bucket = 0, buckets = 0, wide = 1;
  u64 expanded = 0; /* by all threads */
  u32 together = 0, pause = 0; /* rounds until a thread may work alone again; the last value to which that was set */
  if (threads == 1) buckets = LS_JOIN(bin_alone, W)(s, all, 1, &bucket, UINT64_MAX, UINT64_MAX, &w);
  for (;;) {
    mine->vote = bucket;
    while (mine->vote <= OPEN && !s->bins[mine->vote].used) mine->vote++;
    mine->pending = 0;
    for (u32 k = mine->vote; k <= OPEN; k++) mine->pending += s->bins[k].used;
    store_relaxed(&mine->expanded, s->expanded);
    if (me == 0)
      LS_JOIN(bin_ask, W)(s, all, threads, bucket, &w);
    else if (s->failed)
      store_relaxed(stop, (u32)GIVE_UP);
#pragma omp barrier
    if (load_relaxed(stop) != GO_ON) break;
    u32 next = OPEN + 1;
    const u64 before = expanded;
    u64 pending = 0;
    expanded = 0;
    for (u32 k = 0; k < threads; k++) {
      next = all[k].vote < next ? all[k].vote : next;
      pending += all[k].pending;
      expanded += all[k].expanded;
    }
    const u64 work = expanded - before, crowd = (u64)threads * threads;
    if (work < MEAGRE * crowd && wide < WIDEST)
      wide *= 2;
    else if (work > AMPLE * crowd && wide > 1)
      wide /= 2;
    if (next > OPEN) break;
    if (pending <= LITTLE && !together) { /* too few items for one barrier per bucket */
      if (me != 0) LS_JOIN(bin_give, W)(s, mine, 0, OPEN + 1);
#pragma omp barrier
      if (me == 0) {
        for (u32 k = 1; k < threads; k++)
          for (u64 i = 0; i < all[k].share.used; i++) {
            const ITEM item = all[k].share.items[i];
            LS_JOIN(bin_add, W)(s, LS_JOIN(bin_of, W)(s, item.d), item.d, item.v);
          }
        bucket = next;
        buckets += LS_JOIN(bin_alone, W)(s, all, threads, &bucket, LITTLE, FEW_EDGES, &w);
        mine->least = s->base;
        mine->hubs = bucket < OPEN && s->bins[bucket].used && s->bins[bucket].used <= LITTLE;
      }
#pragma omp barrier
      s->base = all[0].least;
      if (me != 0) bucket = 0;
      pause = !all[0].hubs ? 0 : pause < MANY_ROUNDS ? 2 * pause + 1 : pause;
      together = pause;
      continue;
    }
    together -= together > 0;
    if (next == OPEN) {
      mine->least = LS_JOIN(bin_least, W)(s, &s->bins[OPEN]);
#pragma omp barrier
      W least = NO_PATH;
      for (u32 k = 0; k < threads; k++) least = all[k].least < least ? all[k].least : least;
      LS_JOIN(bin_share_out, W)(s, least);
      bucket = 0;
      continue;
    }
    buckets += next != bucket || !buckets;
    bucket = next;
    const u32 end = next + wide < OPEN ? next + wide : OPEN;
    LS_JOIN(bin_give, W)(s, mine, bucket, end);
#pragma omp barrier
    u64 items = 0;
    for (u32 k = 0; k < threads; k++) items += all[k].share.used;
    LS_JOIN(bin_take_shares, W)(s, all, me, threads, items);
    for (u32 k = bucket; k < end; k++) LS_JOIN(bin_finish, W)(s, &s->bins[k], FEW, FEW_EDGES);
  }
  mine->least = NO_PATH;
  for (u32 k = 0; *stop == ENOUGH && k <= OPEN; k++) {
    const W least = LS_JOIN(bin_least, W)(s, &s->bins[k]);
    if (least < mine->least) mine->least = least;
  }
  return buckets;
}

CPU_LIBRARY(delta_bins) {
  const int team = L->serial || (u64)a->n + a->m < 1u << 17 ? 1 : L->threads;
  SHARED *all = ls_calloc((size_t)team, sizeof *all);
  if (!all) return ls_fail(LS_EMEM, "delta_bins: out of memory");
  const f64 inverse = a->delta > 0 ? 1 / (f64)a->delta : 0x1p1000;
  u32 stop = GO_ON, buckets = 0, expanded = 0, improved = 0;
  u64 edges = 0;
  bool failed = false;
#pragma omp parallel num_threads(team) if (team > 1) reduction(+ : expanded, improved, edges) reduction(|| : failed)
  {
    const u32 me = (u32)omp_get_thread_num(), threads = (u32)omp_get_num_threads();
    SEARCHER *s = ls_calloc(1, sizeof *s);
    if (!s) store_relaxed(&stop, (u32)GIVE_UP);
    if (s && me == 0)
      for (u64 i = 0; i < L->items; i++) {
        a->dist[a->source[i]] = 0;
        LS_JOIN(bin_add, W)(s, &s->bins[0], 0, a->source[i]);
      }
#pragma omp barrier
    const bool go = load_relaxed(&stop) == GO_ON;
#pragma omp barrier
    if (s && go) {
      s->a = a, s->inverse = inverse < 0x1p1000 ? inverse : 0x1p1000, s->alone = threads == 1;
      const u32 found = LS_JOIN(bin_search, W)(s, all, me, threads, a->targets, &stop);
      if (me == 0) buckets = found;
      expanded += s->expanded, improved += s->improved, edges += s->edges;
    }
    failed = !s || s->failed;
    for (u32 k = 0; s && k <= OPEN; k++) ls_free(s->bins[k].items);
    ls_free(s);
  }
  W least = NO_PATH;
  for (int k = 0; k < team; k++) {
    ls_free(all[k].share.items);
    if (stop == ENOUGH && all[k].least < least) least = all[k].least;
  }
  ls_free(all);
  if (failed) { /* the caller may collect garbage and repeat the call, which then starts from scratch */
    for (u32 v = 0; v < a->n; v++) a->dist[v] = NO_PATH;
    return ls_fail(LS_EMEM, "delta_bins: out of memory");
  }
  if (stop == GIVE_UP) return ls_fail(LS_EINTERRUPTED, "delta_bins: interrupted");
  a->floor[0] = least;
  count->buckets = buckets, count->expanded = expanded, count->improved = improved;
  COUNT_EDGES(edges);
  return LS_OK;
}
