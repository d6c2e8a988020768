/* The CUDA driver: runs a body over its domain, either as a kernel of its own or as a step of a persistent loop.
 *
 * Counters are summed per thread, then per block, with one atomic per block. Queues are filled through a staging
 * buffer in shared memory, with one atomic per flush. The edges of a block's vertices are distributed evenly over
 * its threads. The last block to finish writes the results to mapped host memory, so that no copy is needed.
 *
 * In a persistent loop, queues of vertices (role QAHEAD) are processed out of layer order in two cases, which a
 * fixpoint allows. A block that has found few new vertices expands them itself for up to LOCAL_ROUNDS rounds, in
 * shared memory, so that a deep graph does not need a grid-wide barrier per layer. And a vertex of very high degree
 * (a hub) is postponed to the next iteration, where all blocks share its edges. So one iteration of a persistent
 * loop may cover more or less than one layer; when the loop is stepped, it covers exactly one. */
#ifndef DRIVER_CUDA_CUH
#define DRIVER_CUDA_CUH

#ifdef __CUDACC_RTC__ /* compiled at run time: only the device code */
#include "run/devices/cuda_device.h"
#else
#include "run/devices/cuda.h"
#endif
#include "driver/grid.cuh"
#include "language/kernel.h"

enum {
  BLOCK = LS_BLOCK, RESIDENT = LS_RESIDENT,
  STAGE = 2048,        /* queue items staged in shared memory */
  SERIAL_DEGREE = 1,   /* if no vertex of a block has more edges, each thread walks the edges of its own vertex */
  HUB_DEGREE = 1024,   /* a vertex with more edges is a hub: its edges are distributed over all blocks */
  HUB_PIECE = 4 * 512, /* edges in a piece of a hub's row */
  LOCAL_ROUNDS = 16,   /* rounds that a block may run ahead with its own new vertices */
};

/* One thread's view of a queue that a row fills. */
template <class T> struct ls_push_of {
  T *queue;
  u64 room; /* the queue's capacity in items */
  T *stage; /* the staging buffer, in shared memory */
  u32 *staged, stage_room;
  u32 lost; /* items of this thread that did not fit */
};
#define LS_PUSH_OF(type) ls_push_of<type>

/* A block's shared memory. The base is needed by every row, the rest only by rows with queues or edges. */
struct ls_shared_by_all {
  u32 staged[LS_MAX_FILLED], wide;
  u64 flush_at, flush_fit;
  u32 hubbed, listed; /* loops: has the block postponed a hub, listed a long row, since the last barrier of the grid? */
  u32 warp_sums[32]; /* a block of a GRID row may have 32 warps */
};
struct ls_shared : ls_shared_by_all {
  alignas(16) u64 stage[STAGE]; /* divided among the row's queues */
  alignas(8) u32 first[BLOCK]; /* also used for 64-bit scores, one per warp */
  u32 vertex[BLOCK], prefix[BLOCK + 1];
};

/* The blocks that run a step: the whole grid, half of it, or one block. */
struct ls_team {
  u32 block, blocks; /* index of this block among them; their number */
  ls_hubs *hubs;     /* NULL outside loops */
  u32 parity;        /* which of the two lists of hubs is read; the other one is filled */
  ls_long_rows *rows;
  u32 *full, *any_full; /* set if a queue is full; any_full is NULL outside loops */
};

/* Reserves places for `count` items and returns the first place; only `fit` of them are inside the queue. The others are
 * beyond its capacity and are given back at once, so that the length is again the capacity. */
template <class T> static __device__ __forceinline__ u64 ls_reserve(T *queue, u64 room, u32 count, u64 &fit) {
  u64 at;
  if constexpr (sizeof(T) == 4)
    at = atomicAdd((u32 *)queue, count);
  else
    at = atomicAdd((unsigned long long *)queue, (unsigned long long)count);
  fit = count;
  if (at + count <= room) return at;
  fit = at < room ? room - at : 0;
  if constexpr (sizeof(T) == 4)
    atomicSub((u32 *)queue, count - (u32)fit);
  else
    atomicAdd((unsigned long long *)queue, (unsigned long long)(fit - count));
  return at;
}

template <class T> struct ls_same {
  typedef T type;
};
template <class T> LS_INLINE void ls_push_add(ls_push_of<T> *p, typename ls_same<T>::type x) {
  const u32 mask = __activemask(), lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
  u32 at = 0;
  if (lane == leader) at = atomicAdd(p->staged, __popc(mask));
  at = __shfl_sync(mask, at, leader) + __popc(mask & ((1u << lane) - 1));
  if (at < p->stage_room) {
    p->stage[at] = x;
    return;
  }
  u64 fit;
  const u64 to = ls_reserve(p->queue, p->room, 1, fit);
  if (fit)
    p->queue[1 + to] = x;
  else
    p->lost++;
}
#define PUSH(queue, x) ls_push_add(&push->queue, x)

/* Initialises the k-th of FILLED queues. If there is only one, its staging buffer holds STAGE items. */
template <int FILLED, class T>
static __device__ __forceinline__ void ls_begin_queue(ls_shared &sh, const ls_cuda_step &s, u32 k, ls_push_of<T> &push) {
  constexpr u32 parts = FILLED > 2 ? 4 : FILLED, room = sizeof sh.stage / parts / sizeof(T);
  push.queue = (T *)s.queue[k];
  push.room = s.room[k];
  push.stage = (T *)sh.stage + k * room;
  push.staged = &sh.staged[k];
  push.stage_room = room < STAGE ? room : STAGE;
  push.lost = 0;
}

/* Clears the shared memory that must be zero when a kernel starts. Called by one thread. */
static __device__ __forceinline__ void ls_start_shared(ls_shared &sh) {
  for (int q = 0; q < LS_MAX_FILLED; q++) sh.staged[q] = 0;
  sh.hubbed = sh.listed = 0;
}

/* Moves staged items into the queue if the stage is more than half full, or at the end. Called by the whole block. */
template <class T> static __device__ __forceinline__ void ls_flush_queue(ls_shared &sh, ls_push_of<T> &push, bool end) {
  __syncthreads();
  const u32 staged = min(*push.staged, push.stage_room);
  if (staged && (end || staged > push.stage_room / 2)) {
    if (threadIdx.x == 0) {
      sh.flush_at = ls_reserve(push.queue, push.room, staged, sh.flush_fit);
      push.lost += staged - (u32)sh.flush_fit;
    }
    __syncthreads();
    const u64 at = 1 + sh.flush_at;
    for (u32 i = threadIdx.x; i < sh.flush_fit; i += blockDim.x) push.queue[at + i] = push.stage[i];
    __syncthreads();
    if (threadIdx.x == 0) *push.staged = 0;
  }
  __syncthreads();
}

/* Exclusive prefix sum of x over the block into sh.prefix; returns the total. */
static __device__ __forceinline__ u32 ls_block_scan(ls_shared &sh, u32 x) {
  const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  u32 sum = x;
  for (u32 d = 1; d < 32; d *= 2) {
    u32 y = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += y;
  }
  if (lane == 31) sh.warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    u32 s = lane < BLOCK / 32 ? sh.warp_sums[lane] : 0;
    for (u32 d = 1; d < BLOCK / 32; d *= 2) {
      u32 y = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += y;
    }
    if (lane < BLOCK / 32) sh.warp_sums[lane] = s;
  }
  __syncthreads();
  sh.prefix[threadIdx.x] = sum - x + (warp ? sh.warp_sums[warp - 1] : 0);
  const u32 total = sh.warp_sums[BLOCK / 32 - 1];
  if (threadIdx.x == 0) sh.prefix[BLOCK] = total;
  __syncthreads();
  return total;
}

/* Binary search: returns the `at` with prefix[at] <= k < prefix[at + 1]. */
static __device__ __forceinline__ u32 ls_prefix_find(const ls_shared &sh, u32 k) {
  u32 lo = 0, hi = BLOCK;
  while (hi - lo > 1) {
    const u32 mid = (lo + hi) / 2;
    if (sh.prefix[mid] <= k) lo = mid; else hi = mid;
  }
  return lo;
}

/* --- domains ---------------------------------------------------------------------------------------------- */

template <class S, int domain> struct ls_walk;

#define LS_ITEM_WALK(DOMAIN_TAG, LENGTH, ITEM)                                                                 \
  template <class S> struct ls_walk<S, DOMAIN_TAG> {                                                           \
    static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s,               \
                                               typename S::Counts &count, ls_shared &sh, typename S::Queues &push, \
                                               const ls_team &team) {                                          \
      const u64 items = (LENGTH);                                                                              \
      const u32 threads = blockDim.x; /* set by the launch; in a loop, by the loop */                          \
      for (u64 base = (u64)team.block * threads; base < items; base += (u64)team.blocks * threads) {           \
        const u64 i = base + threadIdx.x;                                                                      \
        if (i < items) S::body(&a, &count, &push, (ITEM));                                                     \
        S::flush(sh, push, false);                                                                             \
      }                                                                                                        \
    }                                                                                                          \
  };
static __device__ __forceinline__ u64 ls_length(const ls_cuda_step &s) {
  return s.qin_width == 4 ? *(const volatile u32 *)s.qin : *(const volatile u64 *)s.qin;
}
LS_ITEM_WALK(LS_VERTEX, s.items, (u32)i)
LS_ITEM_WALK(LS_VERTEX_WALK, s.items, (u32)i)
LS_ITEM_WALK(LS_EDGE, s.items, (u32)i)
LS_ITEM_WALK(LS_ELEMENT, s.items, i)
LS_ITEM_WALK(LS_QUEUE, ls_length(s), ((const typename S::Item *)s.qin)[1 + i])

template <class S> struct ls_walk<S, LS_TILE> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s,
                                             typename S::Counts &count, ls_shared &, typename S::Queues &push,
                                             const ls_team &team) {
    for (u64 tile = team.block; tile < s.items; tile += team.blocks) {
      __syncthreads();
      S::body(&a, &count, &push, (u32)tile);
    }
  }
};

/* Consecutive warp indices belong to different blocks, so that expensive neighbouring items are spread over all
 * multiprocessors. */
template <class S> struct ls_walk<S, LS_GRID> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &, typename S::Counts &count,
                                             ls_shared &, typename S::Queues &push, const ls_team &team) {
    ls_grid grid = {(threadIdx.x / 32 * team.blocks + team.block) * 32 + threadIdx.x % 32, team.blocks * blockDim.x};
    S::body(&a, &count, &push, &grid);
  }
};

/* Runs the body on the edges of the block's vertices. A thread has one vertex, v, or none (!has). Edges are numbered by a
 * prefix sum of the degrees and distributed evenly over the threads. Called by the whole block. */
template <class S>
static __device__ __forceinline__ void ls_walk_rows(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                    ls_shared &sh, typename S::Queues &push, const ls_team &team, bool has, u32 v) {
  u32 first = 0, degree = 0;
  if (has && S::select(&a, v)) {
    const ls_row row = S::row(&a, v);
    first = row.first, degree = row.last - first;
  }
  if constexpr (S::ahead)
    if (team.hubs && degree > HUB_DEGREE) {
      const u32 at = atomicAdd(&team.hubs->used[team.parity ^ 1], 1);
      if (at < LS_HUBS) {
        sh.hubbed = 1;
        team.hubs->vertex[team.parity ^ 1][at] = v;
        degree = 0;
      }
    }
  count.ls_edges += degree;
  if (!__syncthreads_or(degree > SERIAL_DEGREE)) { /* all degrees are small: each thread walks its own vertex */
    for (u32 e = first; e < first + degree; e++) S::body(&a, &count, &push, v, e);
    return;
  }
  sh.vertex[threadIdx.x] = v;
  sh.first[threadIdx.x] = first;
  const u32 total = ls_block_scan(sh, degree);
  for (u32 k = threadIdx.x; k < total; k += BLOCK) {
    const u32 at = ls_prefix_find(sh, k);
    S::body(&a, &count, &push, sh.vertex[at], sh.first[at] + (k - sh.prefix[at]));
  }
  __syncthreads();
}

/* Walks the edges of the hubs that the last iteration postponed, in pieces that are distributed over the blocks. Every block
 * computes the same numbering of the pieces itself, for BLOCK hubs at a time. */
template <class S>
static __device__ __forceinline__ void ls_walk_hubs(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                    ls_shared &sh, typename S::Queues &push, const ls_team &team) {
  const u32 used = min(*(volatile u32 *)&team.hubs->used[team.parity], (u32)LS_HUBS);
  for (u32 base = 0; base < used; base += BLOCK) {
    const u32 h = base + threadIdx.x;
    u32 degree = 0;
    if (h < used) {
      const u32 v = team.hubs->vertex[team.parity][h];
      const ls_row row = S::row(&a, v);
      sh.vertex[threadIdx.x] = v;
      sh.first[threadIdx.x] = row.first;
      degree = row.last - row.first;
      if (team.block == 0) count.ls_edges += degree;
    }
    const u32 pieces = ls_block_scan(sh, (degree + HUB_PIECE - 1) / HUB_PIECE);
    for (u32 piece = team.block; piece < pieces; piece += team.blocks) {
      const u32 at = ls_prefix_find(sh, piece), v = sh.vertex[at], first = sh.first[at] + (piece - sh.prefix[at]) * HUB_PIECE;
      const u32 last = min(S::row(&a, v).last, first + HUB_PIECE);
      for (u32 e = first + threadIdx.x; e < last; e += BLOCK) S::body(&a, &count, &push, v, e);
      S::flush(sh, push, false);
    }
    __syncthreads();
  }
}

/* Runs ahead: the block expands the vertices that it has just staged, instead of putting them into the queue, for up to
 * LOCAL_ROUNDS rounds and as long as there are at most BLOCK of them. */
template <class S>
static __device__ __forceinline__ void ls_go_on(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                ls_shared &sh, typename S::Queues &push, const ls_team &team) {
  for (u32 round = 0; round < LOCAL_ROUNDS; round++) {
    __syncthreads();
    const u32 staged = sh.staged[0];
    if (staged == 0 || staged > BLOCK) return;
    const bool has = threadIdx.x < staged;
    const u32 v = has ? ((const u32 *)sh.stage)[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) sh.staged[0] = 0;
    __syncthreads();
    ls_walk_rows<S>(a, s, count, sh, push, team, has, v);
  }
}

template <class S> struct ls_walk<S, LS_VERTEX_EDGES> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, typename S::Queues &push, const ls_team &team) {
    const u64 share = (s.items + team.blocks - 1) / team.blocks; /* if vertices are few, every block gets some of them */
    const u32 tile = share < BLOCK ? (u32)share : BLOCK;
    for (u64 base = (u64)team.block * tile; base < s.items; base += (u64)team.blocks * tile) {
      const u64 i = base + threadIdx.x;
      ls_walk_rows<S>(a, s, count, sh, push, team, threadIdx.x < tile && i < s.items, (u32)i);
      S::flush(sh, push, false);
    }
  }
};
template <class S> struct ls_walk<S, LS_QUEUE_EDGES> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, typename S::Queues &push, const ls_team &team) {
    const u64 items = ls_length(s);
    if constexpr (S::ahead)
      if (team.hubs) ls_walk_hubs<S>(a, s, count, sh, push, team);
    for (u64 base = 0; base < items; base += (u64)team.blocks * BLOCK) {
      /* neighbours in the queue go to different blocks, because vertices of high degree tend to be queued together */
      const u64 i = base + (u64)threadIdx.x * team.blocks + team.block;
      ls_walk_rows<S>(a, s, count, sh, push, team, i < items, i < items ? ((const u32 *)s.qin)[1 + i] : 0);
      S::flush(sh, push, false);
    }
    if constexpr (S::ahead)
      if (team.hubs && items <= (u64)team.blocks * BLOCK) ls_go_on<S>(a, s, count, sh, push, team);
  }
};

static __device__ __forceinline__ u32 ls_warp_sum(u32 x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, x);
#else
  for (u32 d = 16; d; d /= 2) x += __shfl_down_sync(~0u, x, d);
  return x;
#endif
}

/* Adds the block's counters to sums[]. Returns a bit mask of those that are not zero in this block. */
template <class S>
static __device__ __forceinline__ u32 ls_add_counts(typename S::Counts &count, ls_shared &sh, unsigned long long *sums) {
  const u32 *c = (const u32 *)&count;
  u32 counted = 0;
#pragma unroll
  for (int k = 0; k < S::counts; k++) {
    if (!__syncthreads_or(c[k])) continue;
    counted |= 1u << k;
    const u32 x = ls_warp_sum(c[k]);
    if (threadIdx.x % 32 == 0) sh.warp_sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x >= 32) continue;
    const u32 sum = ls_warp_sum(threadIdx.x < blockDim.x / 32 ? sh.warp_sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(&sums[k], (unsigned long long)sum);
  }
  return counted;
}

/* Flushes the queues for the last time. Items that did not fit are added to the row's LOST count if it has one; otherwise
 * the queue is marked as full. */
template <class S>
static __device__ __forceinline__ void ls_settle(typename S::Counts &count, ls_shared &sh, typename S::Queues &push, const ls_team &team) {
  if constexpr (S::filled > 0) {
    S::flush(sh, push, true);
    if constexpr (S::lost) {
      S::count_lost(count, push);
    } else if (const u32 full = S::full(push)) {
      atomicOr(team.full, full);
      if (team.any_full) *team.any_full = 1;
    }
  }
}

/* Runs one step with a team of blocks, flushes its queues and adds up its counters. */
template <class S>
static __device__ __forceinline__ void ls_run_step(const typename S::Args &a, const ls_cuda_step &s, ls_shared &sh,
                                                   unsigned long long *sums, const ls_team &team) {
  typename S::Counts count = {};
  typename S::Queues push;
  S::begin(sh, s, push);
  ls_walk<S, S::domain>::run(a, s, count, sh, push, team);
  ls_settle<S>(count, sh, push, team);
  ls_add_counts<S>(count, sh, sums);
}

static __device__ __forceinline__ u64 ls_clock() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

#include "driver/best.cuh"

/* --- a row as a kernel of its own -------------------------------------------------------------------------- */

template <class S>
static __global__ void __launch_bounds__(S::threads, S::resident)
    ls_kernel(const __grid_constant__ typename S::Args a, const __grid_constant__ ls_cuda_step s, ls_cuda_control *ctl,
              ls_cuda_report *report, u64 ticket) {
  constexpr size_t room = S::filled || !S::plain ? sizeof(ls_shared) : sizeof(ls_shared_by_all);
  __shared__ __align__(16) unsigned char memory[room];
  ls_shared &sh = *(ls_shared *)memory;
  if (threadIdx.x == 0) {
    ls_start_shared(sh);
    if constexpr (S::domain == LS_GRID) ls_grid_begin();
    if (blockIdx.x == 0 && S::domain != LS_VERTEX_BEST) ctl->begin = ls_clock();
  }
  __syncthreads();
  const ls_team team = {blockIdx.x, gridDim.x, nullptr, 0, &ctl->long_rows, &ctl->full[0], nullptr};
  ls_run_step<S>(a, s, sh, ctl->counts, team);
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&ctl->arrived, 1) != gridDim.x - 1) return;
  __threadfence();
  ctl->arrived = 0;
  ctl->long_rows.listed = 0;
  if constexpr (S::domain == LS_GRID) ls_grid_end();
  report->begin = ctl->begin;
  report->end = ls_clock();
  report->items = s.qin ? ls_length(s) : s.items;
  report->full[0] = S::filled && !S::lost ? atomicExch(&ctl->full[0], 0u) : 0;
  for (int k = 0; k < LS_MAX_COUNTS; k++) report->counts[k] = k < S::counts ? atomicExch(&ctl->counts[k], 0ull) : 0;
  __threadfence_system();
  *(volatile u64 *)&report->done = ticket;
}

/* --- what the generated files expand -------------------------------------------------------------------------- */

#define LS_CALL_VERTEX(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, u32 v) { LS_JOIN(name##_body, W)(a, c, q, v); }
#define LS_CALL_VERTEX_WALK(name) LS_CALL_VERTEX(name)
#define LS_CALL_EDGE(name) LS_CALL_VERTEX(name)
#define LS_CALL_TILE(name) LS_CALL_VERTEX(name)
#define LS_CALL_GRID(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, ls_grid *grid) { LS_JOIN(name##_body, W)(a, c, q, grid); }
#define LS_CALL_QUEUE(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, LS_ITEM(name) x) { LS_JOIN(name##_body, W)(a, c, q, x); }
#define LS_CALL_ELEMENT(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, u64 x) { LS_JOIN(name##_body, W)(a, c, q, x); }
#define LS_CALL_VERTEX_EDGES(name)                                                                    \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, u32 v, u32 e) {   \
    LS_JOIN(name##_body, W)(a, c, q, v, e);                                                           \
  }                                                                                                   \
  static __device__ __forceinline__ bool select(const Args *a, u32 v) { return LS_JOIN(name##_select, W)(a, v); }
#define LS_CALL_QUEUE_EDGES(name) LS_CALL_VERTEX_EDGES(name)
#define LS_CALL_VERTEX_BEST(name)                                                                                    \
  typedef LS_JOIN(name##_scored, W) Score;                                                                           \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, Queues *q, u32 v, u32 e, Score best) {      \
    LS_JOIN(name##_body, W)(a, c, q, v, e, best);                                                                    \
  }                                                                                                                  \
  static __device__ __forceinline__ Score score(const Args *a, u32 v, u32 e) { return LS_JOIN(name##_score, W)(a, v, e); } \
  static __device__ __forceinline__ bool select(const Args *a, u32 v) { return LS_JOIN(name##_select, W)(a, v); }

/* Sets the row's argument number `at`, a VALUE, to x. */
#define LS_PUT(role, type, name, ...) LS_BY_CLASS(LS_PUT, role)(type, name)
#define LS_PUT_READ(type, name) k++;
#define LS_PUT_WRITE(type, name) k++;
#define LS_PUT_COUNT(type, name) k++;
#define LS_PUT_VALUE(type, name) \
  if (k++ == at) args.name = (type)x;

/* Applied to each argument of a row: count, initialise and flush the queues among them. k: index of the queue, which
 * determines its part of the stage. */
#define LS_COUNT_FILLED(role, ...) +LS_IS(FILLED, role)
#define LS_COUNT_AHEAD(role, ...) +LS_IS(AHEAD, role)
#define LS_COUNT_LOSTS(role, ...) +LS_IS(LOST, role)
#define LS_BEGIN_QUEUE(role, type, name, ...) LS_WHEN(FILLED, role, ls_begin_queue<filled>(sh, s, k++, q.name);)
#define LS_FLUSH_QUEUE(role, type, name, ...) LS_WHEN(FILLED, role, ls_flush_queue(sh, q.name, end);)
#define LS_FULL_QUEUE(role, type, name, ...) LS_WHEN(FILLED, role, bits |= (q.name.lost != 0) << k++;)
#define LS_LOST_QUEUE(role, type, name, ...) LS_WHEN(FILLED, role, sum += q.name.lost;)
#define LS_COUNT_LOST(role, type, name, ...) LS_WHEN(LOST, role, c.name += sum;)
#define LS_ITEM_TYPE(role, type, name, ...) LS_WHEN(TAKEN, role, typedef type Item;)

#ifdef __CUDACC_RTC__
/* Exports the shared memory that the SHAPE of a run-time-compiled row asks for, so that the host can read it. */
#define LS_TELL_BYTES(name) extern "C" __device__ u32 LS_JOIN(LS_JOIN(name##_step, W), bytes) = LS_JOIN(name##_step, W)::bytes;
#define LS_BIND_ARGS(ARGS_MACRO)
#else
#define LS_TELL_BYTES(name)
#define LS_BIND_ARGS(ARGS_MACRO)                                     \
  static Args bind_args(const ls_launch *L, const ls_bind *bind) {   \
    Args args = {};                                                  \
    int k = 0;                                                       \
    args.n = L->n, args.m = L->m;                                    \
    ARGS_MACRO(LS_SET, W)                                            \
    (void)k, (void)bind;                                             \
    return args;                                                     \
  }
#endif

/* Describes a row to the templates above. */
#define CUDA_STEP(name, ARGS_MACRO, DOMAIN)                                              \
  struct LS_JOIN(name##_step, W) {                                                       \
    typedef LS_JOIN(name##_args, W) Args;                                                \
    typedef LS_JOIN(name##_counts, W) Counts;                                            \
    typedef LS_JOIN(name##_queues, W) Queues;                                            \
    static constexpr const char *called = #name;                                         \
    ARGS_MACRO(LS_ITEM_TYPE, W)                                                          \
    static constexpr int domain = LS_##DOMAIN, counts = LS_COUNTS_OF(Counts, DOMAIN);   \
    static constexpr int filled = ARGS_MACRO(LS_COUNT_FILLED, W);                        \
    static constexpr bool ahead = ARGS_MACRO(LS_COUNT_AHEAD, W), lost = ARGS_MACRO(LS_COUNT_LOSTS, W); \
    static constexpr bool plain = domain == LS_VERTEX || domain == LS_VERTEX_WALK || domain == LS_EDGE || \
                                  domain == LS_ELEMENT || domain == LS_QUEUE || domain == LS_TILE || domain == LS_GRID; \
    typedef ls_shape_of<Args> Shape;                                                     \
    static constexpr u32 threads = Shape::threads ? Shape::threads : BLOCK;              \
    static constexpr u32 resident = Shape::threads ? Shape::resident : RESIDENT;         \
    static constexpr u32 bytes = Shape::bytes; /* dynamic shared memory per block */     \
    static_assert(!bytes || domain == LS_TILE, "the bytes of a SHAPE are for TILE rows"); \
    static_assert(!Shape::threads || plain, "a SHAPE is for rows in which a thread or a block has one item"); \
    static_assert(threads <= BLOCK || domain == LS_GRID, "a SHAPE has 512 threads at most, of a GRID row 1024"); \
    static_assert(counts <= (int)LS_MAX_COUNTS, "too many COUNTs");                      \
    static_assert(filled <= (int)LS_MAX_FILLED, "too many queues");                      \
    LS_CALL_##DOMAIN(name)                                                               \
    static __device__ __forceinline__ ls_row row(const Args *a, u32 v) { return LS_JOIN(name##_row, W)(a, v); } \
    static __device__ __forceinline__ void begin(ls_shared &sh, const ls_cuda_step &s, Queues &q) { \
      [[maybe_unused]] u32 k = 0;                                                        \
      ARGS_MACRO(LS_BEGIN_QUEUE, W)                                                      \
      (void)sh, (void)s, (void)q;                                                        \
    }                                                                                    \
    static __device__ __forceinline__ void flush(ls_shared &sh, Queues &q, bool end) {   \
      ARGS_MACRO(LS_FLUSH_QUEUE, W)                                                      \
      (void)sh, (void)q, (void)end;                                                      \
    }                                                                                    \
    static __device__ __forceinline__ u32 full(const Queues &q) {                        \
      [[maybe_unused]] u32 k = 0;                                                        \
      u32 bits = 0;                                                                      \
      ARGS_MACRO(LS_FULL_QUEUE, W)                                                       \
      (void)q;                                                                           \
      return bits;                                                                       \
    }                                                                                    \
    static __device__ __forceinline__ void count_lost(Counts &c, const Queues &q) {      \
      [[maybe_unused]] u32 sum = 0;                                                      \
      ARGS_MACRO(LS_LOST_QUEUE, W)                                                       \
      ARGS_MACRO(LS_COUNT_LOST, W)                                                       \
      (void)c, (void)q;                                                                  \
    }                                                                                    \
    LS_BIND_ARGS(ARGS_MACRO)                                                             \
    static __device__ __forceinline__ void put(Args &args, u32 at, u32 x) {              \
      u32 k = 0;                                                                         \
      ARGS_MACRO(LS_PUT, W)                                                              \
      (void)k, (void)args, (void)x;                                                      \
    }                                                                                    \
  };                                                                                     \
  LS_TELL_BYTES(name)

#ifndef __CUDACC_RTC__
template <class S> static ls_status ls_launch_kernel(ls_launch *L) {
  static const auto kernel = ls_kernel<S>;
  typename S::Args args = S::bind_args(L, &L->bind);
  ls_cuda_step step = ls_cuda_step_of(&L->bind, L->items);
  ls_cuda_launch c;
  u32 threads;
  ls_status st = ls_cuda_block(L, S::threads, &threads);
  if (!st) st = ls_cuda_begin(L, &c);
  if (st) return st;
  c.bytes = S::bytes;
  const u32 blocks = ls_cuda_blocks((ls_domain)S::domain, &step, L->m, c.units, threads);
  void *params[] = {&args, &step, &c.control, &c.report, &c.ticket};
  if constexpr (S::domain == LS_VERTEX_BEST) {
    static const auto before = ls_best_kernel<S>;
    c.before = (const void *)before;
    c.before_blocks = blocks;
  }
  return ls_cuda_submit(L, &c, (const void *)kernel, blocks, threads, params);
}

#define CUDA_DRIVER(name, ARGS_MACRO, DOMAIN) \
  CUDA_STEP(name, ARGS_MACRO, DOMAIN)         \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) { return ls_launch_kernel<LS_JOIN(name##_step, W)>(L); }
#endif

#endif
