/* Programs on CUDA: LOOP rows some of whose steps are repeated, come once, or are left out where the one before counted
 * nothing. One cooperative kernel finds its own way through them, without the host.
 *
 * The last block to arrive at the barrier after a step closes it and says to all which one comes next, and which of
 * its two sets of arguments it takes; a step of few items it runs itself, while the others wait. A BEST domain takes
 * two turns where it has long rows: the second walks their pieces. */
#ifndef PROGRAM_CUDA_CUH
#define PROGRAM_CUDA_CUH

#include "driver/loop.cuh"

/* Who runs, on what: in constant memory, for all blocks read it between barriers. */
enum { PROGRAM_WORDS = 1 << 11 };
struct ls_program {
  u32 nsteps, once, again;
  u8 row[LS_MAX_STEPS], past[LS_MAX_STEPS];
  u32 args_at[LS_MAX_STEPS][2];
  ls_cuda_step step[LS_MAX_STEPS][2];
  u64 args[PROGRAM_WORDS];
};
static __constant__ ls_program ls_present;

/* A step, in even or in odd repetition, whether its long rows are left, whether it has few items, and the barrier's
 * generation, in the word that releases the barrier. */
enum { GENERATION = 0xffff, STEP_SHIFT = 16, STEP_MASK = 31, ODD_SHIFT = 21 };
enum { ALONE = 4 * BLOCK }; /* so many items take one block no longer than the others' coming together */
static const u32 PIECES = 1u << 29, FEW = 1u << 30, STOP = 1u << 31;
static_assert(LS_MAX_STEPS <= STEP_MASK + 1, "a step's number has five bits");

template <class S>
static __device__ __forceinline__ void ls_run_turn(ls_cuda_control *ctl, ls_shared &sh, u32 word, u32 block, u32 blocks) {
  const u32 at = word >> STEP_SHIFT & STEP_MASK, odd = word >> ODD_SHIFT & 1;
  const typename S::Args &a = *(const typename S::Args *)&ls_present.args[ls_present.args_at[at][odd]];
  const ls_cuda_step &s = ls_present.step[at][odd];
  ls_hubs *hubs = S::domain == LS_QUEUE_EDGES && ls_present.again >> at & 1 ? &ctl->hubs[at] : nullptr;
  const ls_team team = {block, blocks, hubs, odd, &ctl->long_rows};
  typename S::Counts count = {};
  ls_push push = {s.qout, s.qout_width, sh.stage, &sh.staged};
  if constexpr (S::domain == LS_VERTEX_BEST) {
    if (word & PIECES)
      ls_walk_pieces<S>(a, s, count, sh, push, team);
    else
      ls_walk<S, S::domain>::vertices(a, s, count, sh, push, team);
  } else {
    ls_walk<S, S::domain>::run(a, s, count, sh, push, team);
  }
  ls_flush(sh, push, true);
  ls_add_counts<S>(count, sh, ctl->step_counts[at]);
}

template <class S, class... More>
static __device__ __forceinline__ void ls_run_row(u32 row, ls_cuda_control *ctl, ls_shared &sh, u32 word, u32 block, u32 blocks) {
  if (row == 0)
    ls_run_turn<S>(ctl, sh, word, block, blocks);
  else if constexpr (sizeof...(More) > 0)
    ls_run_row<More...>(row - 1, ctl, sh, word, block, blocks);
}

struct ls_turn {
  u64 counts[LS_MAX_COUNTS], items;
  u32 at, iteration, turns;
  bool told; /* is it one for the ring? */
};

/* Closes a turn; returns the word that says how it goes on. All that must be read is asked for at once: the whole device
 * waits here. */
static __device__ __forceinline__ u32 ls_close_turn(const ls_loop_launch &L, ls_cuda_control *ctl, u32 word, ls_turn &t) {
  const ls_program &p = ls_present;
  const u32 at = word >> STEP_SHIFT & STEP_MASK, odd = word >> ODD_SHIFT & 1;
  const ls_cuda_step &s = p.step[at][odd];
  const bool again = p.again >> at & 1;
#pragma unroll
  for (int k = 0; k < LS_MAX_COUNTS; k++) t.counts[k] = __ldcg((const u64 *)&ctl->step_counts[at][k]);
  const u32 hubs = again ? __ldcg(&ctl->hubs[at].used[odd ^ 1]) : 0, listed = __ldcg(&ctl->long_rows.listed);
  const u32 iterations = __ldcg(&ctl->iterations);
  t.turns = __ldcg(&ctl->turns);
  u64 left = __ldcg((const u64 *)&ctl->left), repeats = __ldcg((const u64 *)&ctl->repeats);
  t.items = s.qin ? ls_length(s) : s.items;
  t.at = at;
  t.iteration = iterations + 1;
  t.told = word & PIECES || !listed;
  u32 next = at, next_odd = odd;
  bool stop = false;
  if (t.told) {
#pragma unroll
    for (int k = 0; k < LS_MAX_COUNTS; k++) {
      if (!t.counts[k]) continue;
      ctl->step_counts[at][k] = 0;
      atomicAdd(&ctl->totals[at][k], (unsigned long long)t.counts[k]);
      if (k == L.until[at]) left += t.counts[k];
    }
    if (listed) ctl->long_rows.listed = 0;
    if (again) ctl->hubs[at].used[odd] = 0;
    const bool nothing = t.counts[0] + hubs == 0;
    if (again) next_odd ^= 1, repeats++;
    if (!again || (odd && nothing)) {
      next = p.past[at] && nothing ? p.past[at] : at + 1;
      next_odd = 0;
      repeats = 0;
    }
    if (next == p.nsteps) {
      next = p.once;
      ctl->iterations = iterations + 1;
      ctl->finished = left == 0;
      stop = left == 0 || (L.max_iterations && iterations + 1 >= L.max_iterations);
      left = 0;
    }
    ctl->left = left;
    ctl->repeats = repeats;
    ctl->turns = ++t.turns;
    if (!next_odd && L.max_repeats && repeats >= L.max_repeats) stop = true;
    if (!next_odd && ((L.traced && t.turns + 2 > L.ring_room) || (t.turns % 32 < 2 && ls_clock() - ctl->begin > L.max_ns)))
      stop = true;
    if (stop) ctl->at = next;
    if (stop && hubs) ls_requeue_hubs(s, &ctl->hubs[at], odd ^ 1);
  }
  const ls_cuda_step &then = p.step[next][next_odd];
  if (t.told && then.qout_width == 4) *(volatile u32 *)then.qout = 0; /* a second turn goes on with the first's queue */
  if (t.told && then.qout_width == 8) *(volatile u64 *)then.qout = 0;
  const bool few = then.qin && !(next == at && hubs) && ls_length(then) <= (then.off ? 0 : ALONE);
  return next << STEP_SHIFT | next_odd << ODD_SHIFT | (t.told ? 0 : PIECES) | (stop ? STOP : few ? FEW : 0);
}

static __device__ __forceinline__ void ls_tell_ring(const ls_loop_launch &L, const ls_turn &t) {
  ls_ring_entry *e = &L.ring[t.turns - 1];
  e->step = t.at;
  e->iteration = t.iteration;
  e->items = t.items;
  e->begin = 0; /* the host knows: the end of the one before */
  e->end = ls_clock();
#pragma unroll
  for (int k = 0; k < LS_MAX_COUNTS; k++) e->counts[k] = t.counts[k];
}

/* The turn is over for the block that calls it, all of it. Returns the word of the block's next turn. */
static __device__ __forceinline__ u32 ls_end_turn(const ls_loop_launch &L, ls_cuda_control *ctl, ls_shared &sh, u32 word) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const u32 alone = word & FEW, generation = alone ? word & GENERATION : (word + 1) & GENERATION;
    if (alone || ls_arrive(ctl)) {
      ls_turn turn;
      word = ls_close_turn(L, ctl, word, turn) | generation;
      if (!(word & FEW)) ls_release(ctl, word);
      if (turn.told && L.traced) ls_tell_ring(L, turn);
    } else {
      word = ls_await(ctl, GENERATION, generation);
    }
    sh.barrier_word = word;
  }
  __syncthreads();
  return sh.barrier_word;
}

template <class... Rows>
static __global__ void __launch_bounds__(BLOCK, RESIDENT) ls_run_program(const __grid_constant__ ls_loop_launch L) {
  __shared__ ls_shared sh;
  ls_cuda_control *ctl = L.control;
  if (threadIdx.x == 0) sh.staged = 0;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    ctl->begin = ls_clock();
    ctl->left = L.left;
    ctl->repeats = L.repeats;
  }
  __syncthreads();
  u32 word = L.at << STEP_SHIFT | (L.generation & GENERATION);
  while (!(word & STOP)) {
    const bool alone = word & FEW; /* the others wait */
    ls_run_row<Rows...>(ls_present.row[word >> STEP_SHIFT & STEP_MASK], ctl, sh, word, alone ? 0 : blockIdx.x, alone ? 1 : gridDim.x);
    word = ls_end_turn(L, ctl, sh, word);
  }
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  ls_cuda_report *report = L.report;
  report->at = ctl->at;
  report->left = ctl->left;
  report->repeats = ctl->repeats;
  report->ring_used = L.traced ? ctl->turns : 0;
  ctl->turns = ctl->at = 0;
  ls_report_loop(L, ctl, word & GENERATION);
}

/* --- what the generated files expand ------------------------------------------------------------------------- */

/* A row's arguments, into the program; returns how many words they take. */
template <class S, class... More> static u32 ls_put_args(u32 row, const ls_launch *L, const ls_bind *bind, u64 *to) {
  if constexpr (sizeof...(More) > 0)
    if (row > 0) return ls_put_args<More...>(row - 1, L, bind, to);
  const typename S::Args args = S::bind_args(L, bind);
  memcpy(to, &args, sizeof args);
  return (sizeof args + 7) / 8;
}

template <class... Rows> static ls_status ls_launch_program(ls_launch *L) {
  static ls_program p;
  const ls_prim *loop = L->prim;
  p.nsteps = (u32)loop->nsteps;
  p.once = loop->once;
  p.again = loop->again;
  u32 used = 0; /* of args */
  u8 rows = 0; /* in the order in which they first appear */
  for (int s = 0; s < loop->nsteps; s++) {
    int same = 0;
    while (loop->steps[same] != loop->steps[s]) same++;
    p.row[s] = same < s ? p.row[same] : rows++;
    p.past[s] = loop->past[s];
    for (int odd = 0; odd < 2; odd++) {
      if (used + 64 > PROGRAM_WORDS) return ls_fail(LS_EARG, "%s: its arguments take more than %d words", loop->name, PROGRAM_WORDS);
      p.step[s][odd] = ls_step_of(&L->step[odd][s], L->step_items[s]);
      p.args_at[s][odd] = used;
      used += ls_put_args<Rows...>(p.row[s], L, &L->step[odd][s], &p.args[used]);
    }
  }
  void *there;
  ls_status st = ls_cuda_use(L->device);
  if (!st) st = ls_cuda_check(L->device, cudaGetSymbolAddress(&there, ls_present), loop->name);
  if (!st) st = ls_cuda_put_program(L, &p, offsetof(ls_program, args) + used * sizeof *p.args, there);
  if (st) return st;
  static u32 resident; /* asked for once */
  static const auto kernel = ls_run_program<Rows...>;
  return ls_cuda_run_loop(L, (const void *)kernel, BLOCK, RESIDENT, &resident, NULL);
}

#define ROW(name) LS_JOIN(name##_step, W)
#define CUDA_PROGRAM(name, ...) \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) { return ls_launch_program<__VA_ARGS__>(L); }

#endif
