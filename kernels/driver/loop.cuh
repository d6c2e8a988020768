/* Persistent loops on CUDA: the steps of a LOOP row, repeated by one cooperative kernel until a count is zero, without
 * the host. */
#ifndef LOOP_CUDA_CUH
#define LOOP_CUDA_CUH

#include "driver/cuda.cuh"

template <class S, bool barrier_after> struct ls_stage {
  typedef S Step;
  static constexpr bool barrier = barrier_after;
};

/* Every step's arguments in even and in odd iterations. */
template <class... Stages> struct ls_params;
template <> struct ls_params<> {};
template <class Head, class... Tail> struct ls_params<Head, Tail...> {
  typename Head::Step::Args args[2];
  ls_cuda_step step[2];
  ls_params<Tail...> rest;
};

/* What the last block of an iteration does for all: close the counters, empty the queues that the next iteration
 * fills, and decide whether there is one. All that must be read is asked for at once: the whole device waits
 * here. The ring is written when the others are already under way. */
struct ls_closing {
  u64 counts[LS_MAX_STEPS][LS_MAX_COUNTS], items[LS_MAX_STEPS];
  u32 hubs[LS_MAX_STEPS], done;
};

template <int index>
static __device__ __forceinline__ void ls_read_closing(const ls_params<> &, u32, ls_cuda_control *, ls_closing &) {}
template <int index, class H, class... T>
static __device__ __forceinline__ void ls_read_closing(const ls_params<H, T...> &p, u32 parity, ls_cuda_control *ctl,
                                                       ls_closing &c) {
  typedef typename H::Step S;
#pragma unroll
  for (int k = 0; k < S::counts; k++) c.counts[index][k] = __ldcg((const u64 *)&ctl->step_counts[index][k]);
  c.items[index] = p.step[parity].qin ? ls_length(p.step[parity]) : p.step[parity].items;
  c.hubs[index] = S::domain == LS_QUEUE_EDGES ? __ldcg(&ctl->hubs[index].used[parity ^ 1]) : 0;
  ls_read_closing<index + 1>(p.rest, parity, ctl, c);
}

/* A loop that stops puts waiting hubs back into the queue, for whoever goes on. Every vertex of the queue was claimed
 * once, so that there is room, but where a user has put a hub into the queue more than once. */
static __device__ __noinline__ void ls_requeue_hubs(const ls_cuda_step &s, ls_hubs *hubs, u32 parity) {
  const u32 used = min(hubs->used[parity], (u32)LS_HUBS);
  u64 length = s.qout_width == 4 ? *(volatile u32 *)s.qout : *(volatile u64 *)s.qout;
  for (u32 h = 0; h < used && length < s.qout_room; h++, length++)
    ls_store_item(s.qout, s.qout_width, ls_reserve(s.qout, s.qout_width, 1), hubs->vertex[parity][h]);
  hubs->used[parity] = 0;
}

template <int index>
static __device__ __forceinline__ u64 ls_close_steps(const ls_params<> &, u32, const ls_loop_launch &, ls_cuda_control *,
                                                     const ls_closing &) {
  return 0;
}
template <int index, class H, class... T>
static __device__ __forceinline__ u64 ls_close_steps(const ls_params<H, T...> &p, u32 parity, const ls_loop_launch &L,
                                                     ls_cuda_control *ctl, const ls_closing &c) {
  typedef typename H::Step S;
  u64 left = c.hubs[index];
#pragma unroll
  for (int k = 0; k < S::counts; k++) {
    ctl->step_counts[index][k] = 0;
    ctl->totals[index][k] += c.counts[index][k];
    if (k == L.until[index]) left += c.counts[index][k];
  }
  if (S::domain == LS_QUEUE_EDGES) ctl->hubs[index].used[parity] = 0;
  /* what this iteration read, the next one fills */
  const ls_cuda_step &next = p.step[parity ^ 1];
  if (next.qout && next.qout_width == 4) *(volatile u32 *)next.qout = 0;
  if (next.qout && next.qout_width == 8) *(volatile u64 *)next.qout = 0;
  return left + ls_close_steps<index + 1>(p.rest, parity, L, ctl, c);
}

template <int index> static __device__ __forceinline__ void ls_stop_steps(const ls_params<> &, u32, ls_cuda_control *, const ls_closing &) {}
template <int index, class H, class... T>
static __device__ __forceinline__ void ls_stop_steps(const ls_params<H, T...> &p, u32 parity, ls_cuda_control *ctl,
                                                     const ls_closing &c) {
  if (c.hubs[index]) ls_requeue_hubs(p.step[parity], &ctl->hubs[index], parity ^ 1);
  ls_stop_steps<index + 1>(p.rest, parity, ctl, c);
}

template <class P>
static __device__ __forceinline__ u32 ls_close_iteration(const P &p, const ls_loop_launch &L, ls_cuda_control *ctl,
                                                         ls_closing &c) {
  const u32 parity = ctl->iterations & 1, done = ++ctl->iterations;
  ls_read_closing<0>(p, parity, ctl, c);
  c.done = done;
  const u64 left = ls_close_steps<0>(p, parity, L, ctl, c);
  ctl->finished = left == 0;
  const bool stop = left == 0 || (L.max_iterations && done >= L.max_iterations) ||
                    (L.traced && (done + 1) * L.nsteps > L.ring_room) ||
                    (done % 32 == 0 && ls_clock() - ctl->begin > L.max_ns);
  if (stop) ls_stop_steps<0>(p, parity, ctl, c);
  return stop;
}

static __device__ __forceinline__ void ls_write_ring(const ls_loop_launch &L, const ls_closing &c) {
  const u64 now = ls_clock();
#pragma unroll
  for (u32 s = 0; s < LS_MAX_STEPS; s++) {
    if (s >= L.nsteps) break;
    ls_ring_entry *entry = &L.ring[(c.done - 1) * L.nsteps + s];
    entry->step = s;
    entry->iteration = c.done;
    entry->items = c.items[s];
    entry->begin = 0; /* the host knows: the end of the iteration before */
    entry->end = now;
#pragma unroll
    for (int k = 0; k < LS_MAX_COUNTS; k++) entry->counts[k] = c.counts[s][k];
  }
}

/* The pieces of a barrier over the grid; one thread a block calls them, when its block is together. Is it the last? */
static __device__ __forceinline__ bool ls_arrive(ls_cuda_control *ctl) {
  u32 before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;" : "=r"(before) : "l"(&ctl->loop_arrived) : "memory");
  if (before != gridDim.x - 1) return false;
  ctl->loop_arrived = 0;
  return true;
}
static __device__ __forceinline__ void ls_release(ls_cuda_control *ctl, u32 word) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(&ctl->word), "r"(word) : "memory");
}
static __device__ __forceinline__ u32 ls_await(ls_cuda_control *ctl, u32 mask, u32 generation) {
  u32 word;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(&ctl->word) : "memory");
  } while ((word & mask) != generation);
  return word;
}

/* A barrier over the grid, which is resident as a whole (cooperative launch). The last block to arrive closes
 * the iteration, if this is its end, before it lets the others go on. */
template <class P>
static __device__ __forceinline__ bool ls_barrier(const P &p, const ls_loop_launch &L, ls_cuda_control *ctl,
                                                  ls_shared &sh, u32 &generation, bool end) {
  __syncthreads();
  if (threadIdx.x == 0) {
    u32 word;
    generation = (generation + 1) & 0x7fffffff;
    if (ls_arrive(ctl)) {
      ls_closing closing = {};
      word = generation | (end && ls_close_iteration(p, L, ctl, closing) ? 0x80000000u : 0);
      ls_release(ctl, word);
      if (end && L.traced) ls_write_ring(L, closing);
    } else {
      word = ls_await(ctl, 0x7fffffff, generation);
    }
    sh.barrier_word = word;
  }
  __syncthreads();
  return sh.barrier_word >> 31;
}

template <class S, int index>
static __device__ __forceinline__ void ls_run_stage(const typename S::Args *args, const ls_cuda_step *step, ls_cuda_control *ctl,
                                                    ls_shared &sh, u32 parity, u32 block, u32 blocks) {
  const ls_team team = {block, blocks, &ctl->hubs[index], parity, nullptr};
  ls_run_step<S>(args[parity], step[parity], sh, ctl->step_counts[index], team);
}

/* Steps in order with a barrier after each; two that run side by side have half of the blocks each. Returns
 * whether the loop is over. */
template <int index, class All, class H>
static __device__ __forceinline__ bool ls_run_stages(const All &all, const ls_params<H> &p, const ls_loop_launch &L,
                                                     ls_cuda_control *ctl, ls_shared &sh, u32 &generation, u32 parity) {
  ls_run_stage<typename H::Step, index>(p.args, p.step, ctl, sh, parity, blockIdx.x, gridDim.x);
  return ls_barrier(all, L, ctl, sh, generation, true);
}
template <int index, class All, class H, class K, class... T>
static __device__ __forceinline__ bool ls_run_stages(const All &all, const ls_params<H, K, T...> &p, const ls_loop_launch &L,
                                                     ls_cuda_control *ctl, ls_shared &sh, u32 &generation, u32 parity) {
  if constexpr (H::barrier) {
    ls_run_stage<typename H::Step, index>(p.args, p.step, ctl, sh, parity, blockIdx.x, gridDim.x);
    ls_barrier(all, L, ctl, sh, generation, false);
    return ls_run_stages<index + 1>(all, p.rest, L, ctl, sh, generation, parity);
  } else {
    if (gridDim.x == 1) {
      ls_run_stage<typename H::Step, index>(p.args, p.step, ctl, sh, parity, 0, 1);
      ls_run_stage<typename K::Step, index + 1>(p.rest.args, p.rest.step, ctl, sh, parity, 0, 1);
    } else if (blockIdx.x & 1) {
      ls_run_stage<typename K::Step, index + 1>(p.rest.args, p.rest.step, ctl, sh, parity, blockIdx.x / 2, gridDim.x / 2);
    } else {
      ls_run_stage<typename H::Step, index>(p.args, p.step, ctl, sh, parity, blockIdx.x / 2, (gridDim.x + 1) / 2);
    }
    constexpr bool last = sizeof...(T) == 0;
    const bool stop = ls_barrier(all, L, ctl, sh, generation, last);
    if constexpr (last)
      return stop;
    else
      return ls_run_stages<index + 2>(all, p.rest.rest, L, ctl, sh, generation, parity);
  }
}

/* What a loop that is over tells the host. */
static __device__ __forceinline__ void ls_report_loop(const ls_loop_launch &L, ls_cuda_control *ctl, u32 generation) {
  ls_cuda_report *report = L.report;
  report->iterations = ctl->iterations;
  report->finished = ctl->finished;
  report->begin = ctl->begin;
  report->end = ls_clock();
  report->generation = generation;
  ctl->iterations = 0;
  for (u32 s = 0; s < L.nsteps; s++)
    for (u32 k = 0; k < LS_MAX_COUNTS; k++) {
      report->loop_counts[s][k] = ctl->totals[s][k];
      ctl->totals[s][k] = 0;
    }
  __threadfence_system();
  *(volatile u64 *)&report->done = L.ticket;
}

template <class... Stages>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    ls_loop(const __grid_constant__ ls_params<Stages...> p, const __grid_constant__ ls_loop_launch L) {
  __shared__ ls_shared sh;
  ls_cuda_control *ctl = L.control;
  if (threadIdx.x == 0) sh.staged = 0;
  if (threadIdx.x == 0 && blockIdx.x == 0) ctl->begin = ls_clock();
  u32 generation = L.generation;
  __syncthreads();
  for (u32 iteration = 0; !ls_run_stages<0>(p, p, L, ctl, sh, generation, iteration & 1); iteration++) {}
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  L.report->ring_used = L.traced ? ctl->iterations * L.nsteps : 0;
  ls_report_loop(L, ctl, generation);
}

/* --- what the generated files expand ------------------------------------------------------------------------- */

/* Fills params with every step's arguments. */
static inline void ls_bind_steps(ls_params<> &, const ls_launch *, int) {}
template <class H, class... T> static void ls_bind_steps(ls_params<H, T...> &p, const ls_launch *L, int s) {
  for (int parity = 0; parity < 2; parity++) {
    p.args[parity] = H::Step::bind_args(L, &L->step[parity][s]);
    p.step[parity] = ls_step_of(&L->step[parity][s], L->step_items[s]);
  }
  ls_bind_steps(p.rest, L, s + 1);
}

template <class... Stages> static ls_status ls_launch_loop(ls_launch *L) {
  static const auto kernel = ls_loop<Stages...>;
  ls_params<Stages...> params;
  ls_bind_steps(params, L, 0);
  static u32 resident; /* asked for once */
  return ls_cuda_run_loop(L, (const void *)kernel, BLOCK, RESIDENT, &resident, &params);
}

#define BARRIER(name) ls_stage<LS_JOIN(name##_step, W), true>
#define ALONG(name) ls_stage<LS_JOIN(name##_step, W), false>
#define CUDA_LOOP(name, ...) \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) { return ls_launch_loop<__VA_ARGS__>(L); }

#endif
