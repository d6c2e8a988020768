/* The CUDA driver: walks a body over its domain, in a kernel of its own or as a step of a persistent loop.
 *
 * Counters are summed per thread, then per block, with one atomic a block. Queues are filled through a stage
 * in shared memory, with one atomic a flush. Edges of a block's vertices are dealt out evenly among its
 * threads. The last block to finish reports to the host through mapped memory, so that the host reads a
 * result without a copy.
 *
 * A persistent loop takes two liberties with queues of vertices, which a fixpoint allows. A block whose new
 * vertices are few goes on with them itself for some rounds, in shared memory, so that a deep graph does not
 * pay a barrier over the whole device for every layer. And a vertex of very many edges waits for the next
 * iteration, where all blocks share its edges. So an iteration of a fused loop may be more, or less, than a
 * layer; stepped, it is exactly one. */
#ifndef DRIVER_CUDA_CUH
#define DRIVER_CUDA_CUH

#include "run/cuda.h"
#include "language/kernel.h"

enum {
  BLOCK = 512,         /* threads a block */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  RESIDENT = 2,        /* blocks a multiprocessor */
#else
  RESIDENT = 3,
#endif
  STAGE = 2048,        /* queue items kept in shared memory */
  SERIAL_DEGREE = 1,   /* rows no longer than this are walked by one thread */
  HUB_DEGREE = 1024,   /* rows longer than this are shared by all blocks, */
  HUB_PIECE = 4 * 512, /* a piece of so many edges at a time */
  LOCAL_ROUNDS = 16,   /* how long a block goes on by itself */
};

struct ls_push {
  void *queue;
  u32 width;
  u64 *stage;
  u32 *staged;
};

struct ls_shared {
  u64 stage[STAGE];
  u32 staged, flush_at, wide;
  u32 hubbed, listed; /* in a loop: was a hub, a long row listed in this turn? */
  alignas(8) u32 first[BLOCK]; /* also 64-bit scores */
  u32 vertex[BLOCK], prefix[BLOCK + 1];
  u32 warp_sums[BLOCK / 32];
};

/* The part of the grid that walks a step. */
struct ls_team {
  u32 block, blocks;
  ls_hubs *hubs; /* NULL outside loops */
  u32 parity;
  ls_long_rows *rows; /* NULL in loops */
};

static __device__ __forceinline__ void ls_store_item(void *queue, u32 width, u64 at, u64 x) {
  if (width == 4)
    ((u32 *)queue)[1 + at] = (u32)x;
  else
    ((u64 *)queue)[1 + at] = x;
}

static __device__ __forceinline__ u64 ls_reserve(void *queue, u32 width, u32 count) {
  return width == 4 ? atomicAdd((u32 *)queue, count)
                    : atomicAdd((unsigned long long *)queue, (unsigned long long)count);
}

LS_INLINE void ls_push_add(ls_push *p, u64 x) {
  const u32 mask = __activemask(), lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
  u32 at = 0;
  if (lane == leader) at = atomicAdd(p->staged, __popc(mask));
  at = __shfl_sync(mask, at, leader) + __popc(mask & ((1u << lane) - 1));
  if (at < STAGE)
    p->stage[at] = x;
  else
    ls_store_item(p->queue, p->width, ls_reserve(p->queue, p->width, 1), x);
}

/* Empties the stage once it is half full, or at the end. The whole block calls it. */
static __device__ __forceinline__ void ls_flush(ls_shared &sh, const ls_push &push, bool end) {
  if (!push.queue) return;
  __syncthreads();
  const u32 staged = min(sh.staged, (u32)STAGE);
  if (staged && (end || staged > STAGE / 2)) {
    if (threadIdx.x == 0) sh.flush_at = (u32)ls_reserve(push.queue, push.width, staged);
    __syncthreads();
    for (u32 i = threadIdx.x; i < staged; i += BLOCK) ls_store_item(push.queue, push.width, (u64)sh.flush_at + i, sh.stage[i]);
    __syncthreads();
    if (threadIdx.x == 0) sh.staged = 0;
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

/* Whose part k is: prefix[at] <= k < prefix[at + 1]. */
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
                                               typename S::Counts &count, ls_shared &sh, ls_push &push,        \
                                               const ls_team &team) {                                          \
      const u64 items = (LENGTH);                                                                              \
      for (u64 base = (u64)team.block * BLOCK; base < items; base += (u64)team.blocks * BLOCK) {               \
        const u64 i = base + threadIdx.x;                                                                      \
        if (i < items) S::body(&a, &count, &push, (ITEM));                                                     \
        ls_flush(sh, push, false);                                                                             \
      }                                                                                                        \
    }                                                                                                          \
  };
static __device__ __forceinline__ u64 ls_length(const ls_cuda_step &s) {
  return s.qin_width == 4 ? *(const volatile u32 *)s.qin : *(const volatile u64 *)s.qin;
}
static __device__ __forceinline__ u64 ls_item(const ls_cuda_step &s, u64 i) {
  return s.qin_width == 4 ? ((const u32 *)s.qin)[1 + i] : ((const u64 *)s.qin)[1 + i];
}
LS_ITEM_WALK(LS_VERTEX, s.items, (u32)i)
LS_ITEM_WALK(LS_VERTEX_WALK, s.items, (u32)i)
LS_ITEM_WALK(LS_EDGE, s.items, (u32)i)
LS_ITEM_WALK(LS_QUEUE, ls_length(s), ls_item(s, i))

template <class S> struct ls_walk<S, LS_TILE> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s,
                                             typename S::Counts &count, ls_shared &, ls_push &push,
                                             const ls_team &team) {
    for (u64 tile = team.block; tile < s.items; tile += team.blocks) {
      __syncthreads();
      S::body(&a, &count, &push, (u32)tile);
    }
  }
};

/* The edges of the block's vertices: v of each thread that has one. */
template <class S>
static __device__ __forceinline__ void ls_walk_rows(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                    ls_shared &sh, ls_push &push, const ls_team &team, bool has, u32 v) {
  u32 first = 0, degree = 0;
  if (has && S::select(&a, v)) first = s.off[v], degree = s.off[v + 1] - first;
  if (team.hubs && degree > HUB_DEGREE) {
    const u32 at = atomicAdd(&team.hubs->used[team.parity ^ 1], 1);
    if (at < LS_HUBS) {
      sh.hubbed = 1;
      team.hubs->vertex[team.parity ^ 1][at] = v;
      degree = 0;
    }
  }
  count.ls_edges += degree;
  if (!__syncthreads_or(degree > SERIAL_DEGREE)) { /* short rows: each thread its own */
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

/* The hubs of the last iteration, dealt out in pieces: every block counts the pieces of a tile of hubs for itself. */
template <class S>
static __device__ __forceinline__ void ls_walk_hubs(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                    ls_shared &sh, ls_push &push, const ls_team &team) {
  const u32 used = min(*(volatile u32 *)&team.hubs->used[team.parity], (u32)LS_HUBS);
  for (u32 base = 0; base < used; base += BLOCK) {
    const u32 h = base + threadIdx.x;
    u32 degree = 0;
    if (h < used) {
      const u32 v = team.hubs->vertex[team.parity][h];
      sh.vertex[threadIdx.x] = v;
      sh.first[threadIdx.x] = s.off[v];
      degree = s.off[v + 1] - s.off[v];
      if (team.block == 0) count.ls_edges += degree;
    }
    const u32 pieces = ls_block_scan(sh, (degree + HUB_PIECE - 1) / HUB_PIECE);
    for (u32 piece = team.block; piece < pieces; piece += team.blocks) {
      const u32 at = ls_prefix_find(sh, piece), v = sh.vertex[at], first = sh.first[at] + (piece - sh.prefix[at]) * HUB_PIECE;
      const u32 last = min(s.off[v + 1], first + HUB_PIECE);
      for (u32 e = first + threadIdx.x; e < last; e += BLOCK) S::body(&a, &count, &push, v, e);
      ls_flush(sh, push, false);
    }
    __syncthreads();
  }
}

/* A block goes on with the few vertices it has just found. */
template <class S>
static __device__ __forceinline__ void ls_go_on(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                ls_shared &sh, ls_push &push, const ls_team &team) {
  for (u32 round = 0; round < LOCAL_ROUNDS; round++) {
    __syncthreads();
    const u32 staged = sh.staged;
    if (staged == 0 || staged > BLOCK) return;
    const bool has = threadIdx.x < staged;
    const u32 v = has ? (u32)sh.stage[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) sh.staged = 0;
    __syncthreads();
    ls_walk_rows<S>(a, s, count, sh, push, team, has, v);
  }
}

template <class S> struct ls_walk<S, LS_VERTEX_EDGES> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, ls_push &push, const ls_team &team) {
    const u64 share = (s.items + team.blocks - 1) / team.blocks; /* few vertices: all blocks have some of their edges */
    const u32 tile = share < BLOCK ? (u32)share : BLOCK;
    for (u64 base = (u64)team.block * tile; base < s.items; base += (u64)team.blocks * tile) {
      const u64 i = base + threadIdx.x;
      ls_walk_rows<S>(a, s, count, sh, push, team, threadIdx.x < tile && i < s.items, (u32)i);
      ls_flush(sh, push, false);
    }
  }
};
template <class S> struct ls_walk<S, LS_QUEUE_EDGES> {
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, ls_push &push, const ls_team &team) {
    const u64 items = ls_length(s);
    if (team.hubs) ls_walk_hubs<S>(a, s, count, sh, push, team);
    for (u64 base = 0; base < items; base += (u64)team.blocks * BLOCK) {
      /* neighbours in the queue go to different blocks: those of many edges tend to be found together */
      const u64 i = base + (u64)threadIdx.x * team.blocks + team.block;
      ls_walk_rows<S>(a, s, count, sh, push, team, i < items, i < items ? (u32)ls_item(s, i) : 0);
      ls_flush(sh, push, false);
    }
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

/* Adds the block's counters to sums[0 ..]; returns which of them are not zero. */
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
    const u32 sum = ls_warp_sum(threadIdx.x < BLOCK / 32 ? sh.warp_sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(&sums[k], (unsigned long long)sum);
  }
  return counted;
}

/* One step by a team of blocks, its counters and queue settled. */
template <class S>
static __device__ __forceinline__ void ls_run_step(const typename S::Args &a, const ls_cuda_step &s, ls_shared &sh,
                                                   unsigned long long *sums, const ls_team &team) {
  typename S::Counts count = {};
  ls_push push = {s.qout, s.qout_width, sh.stage, &sh.staged};
  ls_walk<S, S::domain>::run(a, s, count, sh, push, team);
  ls_flush(sh, push, true);
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
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    ls_kernel(const __grid_constant__ typename S::Args a, const __grid_constant__ ls_cuda_step s, ls_cuda_control *ctl,
              ls_cuda_report *report, u64 ticket) {
  __shared__ ls_shared sh;
  if (threadIdx.x == 0) {
    sh.staged = 0;
    if (blockIdx.x == 0 && S::domain != LS_VERTEX_BEST) ctl->begin = ls_clock();
  }
  __syncthreads();
  const ls_team team = {blockIdx.x, gridDim.x, nullptr, 0, &ctl->long_rows};
  ls_run_step<S>(a, s, sh, ctl->counts, team);
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&ctl->arrived, 1) != gridDim.x - 1) return;
  __threadfence();
  ctl->arrived = 0;
  ctl->long_rows.listed = 0;
  report->begin = ctl->begin;
  report->end = ls_clock();
  report->items = s.qin ? ls_length(s) : s.items;
  for (int k = 0; k < LS_MAX_COUNTS; k++) report->counts[k] = k < S::counts ? atomicExch(&ctl->counts[k], 0ull) : 0;
  __threadfence_system();
  *(volatile u64 *)&report->done = ticket;
}

/* --- what the generated files expand -------------------------------------------------------------------------- */

#define LS_CALL_VERTEX(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, ls_push *q, u32 v) { LS_JOIN(name##_body, W)(a, c, q, v); }
#define LS_CALL_VERTEX_WALK(name) LS_CALL_VERTEX(name)
#define LS_CALL_EDGE(name) LS_CALL_VERTEX(name)
#define LS_CALL_TILE(name) LS_CALL_VERTEX(name)
#define LS_CALL_QUEUE(name) \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, ls_push *q, u64 x) { LS_JOIN(name##_body, W)(a, c, q, x); }
#define LS_CALL_VERTEX_EDGES(name)                                                                    \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, ls_push *q, u32 v, u32 e) {   \
    LS_JOIN(name##_body, W)(a, c, q, v, e);                                                           \
  }                                                                                                   \
  static __device__ __forceinline__ bool select(const Args *a, u32 v) { return LS_JOIN(name##_select, W)(a, v); }
#define LS_CALL_QUEUE_EDGES(name) LS_CALL_VERTEX_EDGES(name)
#define LS_CALL_VERTEX_BEST(name)                                                                                    \
  typedef LS_JOIN(name##_scored, W) Score;                                                                           \
  static __device__ __forceinline__ void body(const Args *a, Counts *c, ls_push *q, u32 v, u32 e, Score best) {      \
    LS_JOIN(name##_body, W)(a, c, q, v, e, best);                                                                    \
  }                                                                                                                  \
  static __device__ __forceinline__ Score score(const Args *a, u32 v, u32 e) { return LS_JOIN(name##_score, W)(a, v, e); } \
  static __device__ __forceinline__ bool select(const Args *a, u32 v) { return LS_JOIN(name##_select, W)(a, v); }

/* Puts x into the VALUE that is the row's argument `at`. */
#define LS_PUT(role, type, name, ...) LS_PUT_##role(type, name)
#define LS_PUT_IN(type, name) k++;
#define LS_PUT_OFF(type, name) k++;
#define LS_PUT_INOUT(type, name) k++;
#define LS_PUT_OUT(type, name) k++;
#define LS_PUT_QIN(type, name) k++;
#define LS_PUT_QOUT(type, name) k++;
#define LS_PUT_QAHEAD(type, name) k++;
#define LS_PUT_COUNT(type, name) k++;
#define LS_PUT_VALUE(type, name) \
  if (k++ == at) args.name = (type)x;

/* Describes a row to the templates above. */
#define CUDA_STEP(name, ARGS_MACRO, DOMAIN)                                              \
  struct LS_JOIN(name##_step, W) {                                                       \
    typedef LS_JOIN(name##_args, W) Args;                                                \
    typedef LS_JOIN(name##_counts, W) Counts;                                            \
    static constexpr int domain = LS_##DOMAIN, counts = LS_COUNTS_OF(Counts, DOMAIN);   \
    static_assert(counts <= (int)LS_MAX_COUNTS, "too many COUNTs");                      \
    LS_CALL_##DOMAIN(name)                                                               \
    static Args bind_args(const ls_launch *L, const ls_bind *bind) {                     \
      Args args = {};                                                                    \
      int k = 0;                                                                         \
      args.n = L->n, args.m = L->m;                                                      \
      ARGS_MACRO(LS_SET, W)                                                              \
      (void)k, (void)bind;                                                               \
      return args;                                                                       \
    }                                                                                    \
    static __device__ __forceinline__ void put(Args &args, u32 at, u32 x) {              \
      u32 k = 0;                                                                         \
      ARGS_MACRO(LS_PUT, W)                                                              \
      (void)k, (void)args, (void)x;                                                      \
    }                                                                                    \
  };

static inline ls_cuda_step ls_step_of(const ls_bind *b, u64 items) {
  ls_cuda_step s = {b->off, b->qin, b->qout, b->qin_width, b->qout_width, b->qout_room, items};
  return s;
}

template <class S> static ls_status ls_launch_kernel(ls_launch *L) {
  static const auto kernel = ls_kernel<S>;
  typename S::Args args = S::bind_args(L, &L->bind);
  ls_cuda_step step = ls_step_of(&L->bind, L->items);
  ls_cuda_launch c;
  ls_status st = ls_cuda_begin(L, &c);
  if (st) return st;
  const u64 per_block = S::domain == LS_TILE ? 1 : BLOCK;
  u64 blocks = step.qin ? c.units * RESIDENT : (L->items + per_block - 1) / per_block;
  const u64 most = S::domain == LS_TILE ? 1u << 20 : (u64)c.units * (S::domain == LS_VERTEX_BEST ? RESIDENT : 16);
  blocks = blocks < 1 ? 1 : blocks > most ? most : blocks;
  void *params[] = {&args, &step, &c.control, &c.report, &c.ticket};
  if constexpr (S::domain == LS_VERTEX_BEST) {
    static const auto before = ls_best_kernel<S>;
    c.before = (const void *)before;
    c.before_blocks = (u32)blocks;
  }
  return ls_cuda_submit(L, &c, (const void *)kernel, (u32)blocks, BLOCK, params);
}

#define CUDA_DRIVER(name, ARGS_MACRO, DOMAIN) \
  CUDA_STEP(name, ARGS_MACRO, DOMAIN)         \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) { return ls_launch_kernel<LS_JOIN(name##_step, W)>(L); }

#endif
