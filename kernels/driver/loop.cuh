/* Loops on CUDA: runs the steps of a LOOP row in one persistent cooperative kernel, without the host.
 *
 * A turn is one step (or the two steps of a TOGETHER) and the barrier over the grid after it. All blocks run the step, each
 * on its share of the items. The control flow of the loop depends on a few bits: which of the step's COUNTs are not zero. Each
 * block adds its bits to the word by which it arrives at the barrier. The last block to arrive computes the next turn
 * (ls_advance) and publishes it in the word that releases the barrier. That block also decides whether to return to the
 * host, and whether the next step has so few items that it runs it alone while the others wait. Its last warp then adds up
 * the counts and writes the ring of the trace while the next turn is already running.
 *
 * A step with a BEST domain takes a second turn if it has long rows: the first lists them in pieces, the second walks the
 * pieces. */
#ifndef LOOP_CUDA_CUH
#define LOOP_CUDA_CUH

#include "driver/cuda.cuh"

/* A loop as the device reads it. For each combination of swapped or unswapped pairs among a step's arguments there is one
 * argument set: an ls_cuda_step and the row's argument struct, from sets[set_at] on. */
template <int STEPS, int OPS, int WORDS> struct ls_program {
  enum { MAX_STEPS = STEPS, MAX_OPS = OPS, MAX_WORDS = WORDS };
  ls_op op[OPS];
  ls_count_flags flags[STEPS][LS_MAX_COUNTS];
  u32 limit[LS_MAX_VARS];
  u32 ahead;                         /* bit s: step s may run ahead of its layers */
  u32 edges;                         /* bit s: the domain of step s is QUEUE_EDGES */
  u8 row[STEPS];                     /* the step's row, as an index into the kernel's template arguments */
  u8 pair[STEPS][LS_STEP_PAIRS];
  u8 var[STEPS][LS_MAX_VARS];        /* which argument of the step has the value of a FOR's variable; NO_VAR: none */
  uint16_t set_at[STEPS][LS_VARIANTS];
  u64 sets[WORDS];
};
/* A small loop is passed as a kernel parameter (at most 4 KiB); a large one is in constant memory. */
typedef ls_program<4, 24, 300> ls_small_program;
typedef ls_program<LS_MAX_STEPS, LS_MAX_OPS, 3400> ls_large_program;
static __constant__ ls_large_program ls_present;

enum { NO_VAR = 0xff };
enum { STEP_WORDS = sizeof(ls_cuda_step) / 8 };
/* The maximum number of items of a step that one block runs alone: four per thread take no longer than a barrier over the grid. */
static __device__ __forceinline__ u32 ls_few() { return 4 * blockDim.x; }

/* The word that releases the barrier. Bits 0-15: the barrier's generation; from STEP_SHIFT: the next step; then the flags
 * BESIDE to STOP; from SET_SHIFT and BESIDE_SHIFT: the argument sets of the step and of a second one, 12 bits each. */
enum { GENERATION = 0xffff, STEP_SHIFT = 16, SET_SHIFT = 32, BESIDE_SHIFT = 44 };
static const u32 BESIDE = 1u << 21, PIECES = 1u << 22, PARITY = 1u << 23, ODD = 1u << 24, ODD_BESIDE = 1u << 25, ALONE = 1u << 26,
                 STOP = 1u << 27;
static_assert(LS_MAX_STEPS <= 32 && ls_large_program::MAX_WORDS <= 1 << 12, "a step has 5 bits in the word, a set has 12");
/* The bits that a block reports after a turn. One step: bits 0-3 its COUNTs; 4: it has postponed hubs; 5: it has listed long
 * rows. Two steps of a TOGETHER: two COUNTs of each, then hubs of each. */
enum { HUBS_BIT = 1 << 4, LISTED_BIT = 1 << 5, HUBS_BESIDE_BIT = 1 << 5 };
/* The arrival word: a counter of arrived blocks, then for each of the six bits a counter of the blocks that have it set. So
 * one atomic addition both arrives and reports. */
enum { ARRIVED_BITS = 10, TOLD_BITS = 9, MOST_BLOCKS = LS_LOOP_BLOCKS };
static_assert(MOST_BLOCKS == (1 << TOLD_BITS) - 1 && ARRIVED_BITS + 6 * TOLD_BITS <= 64, "six bits and the arrivals");

/* The current turn, read by all threads of a block. */
struct ls_turn {
  u64 word;
  u32 var[LS_MAX_VARS]; /* values of the FOR variables */
};

/* The state of the loop. Between two turns only the block's first thread accesses it; during a turn, only the thread that
 * calls ls_tell reads it. */
struct ls_first {
  alignas(16) ls_stand stand;
  ls_stand before; /* the state in the turn that ls_tell has to report */
  bool to_tell;    /* does ls_tell have a turn to report? */
};

static __device__ __forceinline__ u32 ls_step_of_word(u64 word) { return (u32)word >> STEP_SHIFT & (LS_MAX_STEPS - 1); }
static __device__ __forceinline__ u32 ls_set_of_word(u64 word, u32 side) {
  return (u32)(word >> (side ? BESIDE_SHIFT : SET_SHIFT)) & ((1 << (BESIDE_SHIFT - SET_SHIFT)) - 1);
}

template <class P> static __device__ __forceinline__ const ls_cuda_step &ls_step_at(const P &p, u32 set) {
  return *(const ls_cuda_step *)&p.sets[set];
}
template <class P> static __device__ __forceinline__ u32 ls_set_of(const P &p, u32 s, u32 swaps) {
  return p.set_at[s][ls_variant(p.pair[s], swaps)];
}

/* Advances the state x from the turn that reported `bits` to the next one. */
template <class P> static __device__ __forceinline__ void ls_advance(const P &p, ls_stand &x, u32 *var, u32 bits) {
  const ls_op o = p.op[x.at.op];
  if (!o.to && bits & LISTED_BIT && !x.pieces) {
    x.pieces = true;
    x.of_rows = bits;
    return;
  }
  if (x.pieces) bits |= x.of_rows;
  x.pieces = false;
  if (o.to) {
    ls_tell_flags(p.flags[o.at], (bits & 3) | (bits & HUBS_BIT ? 1 : 0), &x.at);
    ls_tell_flags(p.flags[o.at + 1], (bits >> 2 & 3) | (bits & HUBS_BESIDE_BIT ? 1 : 0), &x.at);
    x.odd ^= p.ahead & (3u << o.at);
    x.entries += 2;
  } else {
    ls_tell_flags(p.flags[o.at], (bits & 15) | (bits & HUBS_BIT ? 1 : 0), &x.at);
    x.odd ^= p.ahead & (1u << o.at);
    x.entries++;
  }
  x.turn++;
  x.at.op++;
  ls_to_step(p.op, p.limit, &x.at, var);
}

static __device__ __forceinline__ u64 ls_items(const ls_cuda_step &s) { return s.qin ? ls_length(s) : s.items; }

static __device__ __forceinline__ void ls_empty_queues(const ls_cuda_step &s) {
  for (u32 q = 0; q < s.filled; q++) {
    if (!(s.emptied >> q & 1)) continue;
    if (s.width[q] == 4)
      *(volatile u32 *)s.queue[q] = 0;
    else
      *(volatile u64 *)s.queue[q] = 0;
  }
}

/* When the loop stops, postponed hubs go back into the step's output queue, so that the loop can be resumed later. A row
 * with hubs fills exactly one queue, of vertices. */
static __device__ __noinline__ void ls_requeue_hubs(const ls_cuda_step &s, ls_cuda_control *ctl, u32 step, u32 parity) {
  ls_hubs *hubs = &ctl->hubs[step];
  const u32 used = min(hubs->used[parity], (u32)LS_HUBS);
  u32 *queue = (u32 *)s.queue[0];
  u64 fit;
  const u64 at = ls_reserve(queue, s.room[0], used, fit);
  for (u64 h = 0; h < fit; h++) queue[1 + at + h] = hubs->vertex[parity][h];
  hubs->used[parity] = 0;
  if (fit < used) ctl->full[step] = 1, ctl->any_full = 1;
}

/* Prepares the next turn; called by the last block to arrive, before the others are released. x: state of the finished turn;
 * y: state of the next one, whose items are filled in. Returns STOP, ALONE or 0. */
template <class P>
static __device__ __forceinline__ u32 ls_decide(const P &p, const ls_loop_launch &L, ls_cuda_control *ctl, const ls_stand &x,
                                                ls_stand &y, u32 bits) {
  const ls_op o = p.op[x.at.op];
  if (y.pieces) return 0;
  if (x.pieces) ctl->long_rows.listed = 0;
  for (u32 s = o.at; s <= o.at + (o.to != 0); s++) /* the hubs that this turn has walked */
    if (p.ahead >> s & 1) ctl->hubs[s].used[x.odd >> s & 1] = 0;
  const bool stop = y.at.finished || y.at.halted || (L.traced && !L.summed && y.entries + 4 > L.ring_room) ||
                    (y.turn % 32 == 0 && (ls_clock() - ctl->begin > L.max_ns || *(volatile u32 *)&ctl->any_full));
  if (stop) {
    if (bits & HUBS_BIT && p.ahead >> o.at & 1)
      ls_requeue_hubs(ls_step_at(p, ls_set_of(p, o.at, x.at.swaps)), ctl, o.at, ~(x.odd >> o.at) & 1);
    if (o.to && bits & HUBS_BESIDE_BIT && p.ahead >> (o.at + 1) & 1)
      ls_requeue_hubs(ls_step_at(p, ls_set_of(p, o.at + 1, x.at.swaps)), ctl, o.at + 1, ~(x.odd >> (o.at + 1)) & 1);
    return STOP;
  }
  const ls_op next = p.op[y.at.op];
  const ls_cuda_step &then = ls_step_at(p, ls_set_of(p, next.at, y.at.swaps));
  const u64 length = then.qin ? ls_length(then) : ~0ull;
  y.items[0] = then.qin ? length : then.items;
  if (next.to && L.traced) y.items[1] = ls_items(ls_step_at(p, ls_set_of(p, next.at + 1u, y.at.swaps)));
  ls_empty_queues(then);
  if (next.to) ls_empty_queues(ls_step_at(p, ls_set_of(p, next.at + 1u, y.at.swaps)));
  const bool hubs = bits & HUBS_BIT && next.at == o.at;
  return gridDim.x > 1 && !next.to && !hubs && length <= (p.edges >> next.at & 1 ? 0 : ls_few()) ? ALONE : 0;
}

/* The release word of a turn, without the generation. decided: STOP, ALONE or 0. */
template <class P> static __device__ __forceinline__ u64 ls_word(const P &p, const ls_stand &x, u32 decided) {
  const ls_op o = p.op[x.at.op];
  if (decided & STOP) return STOP;
  u32 low = decided | (u32)o.at << STEP_SHIFT | (x.turn & 1 ? PARITY : 0) | (x.pieces ? PIECES : 0) | (x.odd >> o.at & 1 ? ODD : 0);
  u64 sets = ls_set_of(p, o.at, x.at.swaps);
  if (o.to) {
    low |= BESIDE | (x.odd >> (o.at + 1) & 1 ? ODD_BESIDE : 0);
    sets |= (u64)ls_set_of(p, o.at + 1u, x.at.swaps) << (BESIDE_SHIFT - SET_SHIFT);
  }
  return sets << SET_SHIFT | low;
}

/* Adds a finished turn to the sums of its step (only if L.summed). A turn begins when the previous one ends. The time of a step is
 * the sum of its turns' end times minus the sum of their begin times: the terms can be added in any order, and those between two
 * consecutive turns of one step cancel, so they are left out. */
template <class P> static __device__ __forceinline__ void ls_add_up(const P &p, ls_cuda_control *ctl, const ls_first &first, bool stop) {
  const ls_stand &x = first.before;
  const ls_op o = p.op[x.at.op];
  const u32 then = p.op[first.stand.at.op].at;
  if (stop || then != o.at) {
    const u64 now = ls_clock();
    atomicAdd(&ctl->sums[o.at].time, (unsigned long long)now);
    if (!stop) atomicAdd(&ctl->sums[then].time, 0ull - now);
  }
  for (u32 side = 0; side <= (o.to != 0); side++) {
    atomicAdd(&ctl->sums[o.at + side].items, (unsigned long long)x.items[side]);
    atomicAdd(&ctl->sums[o.at + side].turns, 1ull);
  }
}

/* Adds the counts of a finished turn to the totals and writes its ring entries. stop: it was the last turn. */
template <class P>
static __device__ __forceinline__ void ls_tell(const P &p, const ls_loop_launch &L, ls_cuda_control *ctl, const ls_first &first,
                                               bool stop) {
  const ls_stand &x = first.before;
  const ls_op o = p.op[x.at.op];
  const bool one_by_one = L.traced && !L.summed;
  const u64 now = one_by_one ? ls_clock() : 0;
  for (u32 side = 0; side <= (o.to != 0); side++) {
    unsigned long long *sums = ctl->turn_counts[x.turn & 1][side];
    u64 counts[LS_MAX_COUNTS];
#pragma unroll
    for (int k = 0; k < LS_MAX_COUNTS; k++) counts[k] = __ldcg((const u64 *)&sums[k]);
#pragma unroll
    for (int k = 0; k < LS_MAX_COUNTS; k++) {
      if (!counts[k]) continue;
      sums[k] = 0;
      atomicAdd(&ctl->totals[o.at + side][k], (unsigned long long)counts[k]);
    }
    if (!one_by_one) continue;
    ls_ring_entry *e = &L.ring[x.entries + side];
    e->step = (u16)(o.at + side);
    e->first = 0;
    e->iteration = x.at.iterations + 1;
    e->items = x.items[side];
    e->begin = 0; /* the host fills it in: the end of the previous entry */
    e->end = now;
#pragma unroll
    for (int k = 0; k < LS_MAX_COUNTS; k++) e->counts[k] = counts[k];
  }
  if (L.summed) ls_add_up(p, ctl, first, stop);
}

/* The parts of a barrier over the grid; all its blocks are resident (cooperative launch). One thread per block calls them,
 * after a __syncthreads. */
static __device__ __forceinline__ u64 ls_arrive(ls_cuda_control *ctl, u64 x) {
  u64 before;
  asm volatile("atom.add.acq_rel.gpu.global.u64 %0, [%1], %2;" : "=l"(before) : "l"(&ctl->loop_arrived), "l"(x) : "memory");
  return before + x;
}
static __device__ __forceinline__ void ls_release(ls_cuda_control *ctl, u64 word) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" : : "l"(&ctl->word), "l"(word) : "memory");
}
/* An acquiring load invalidates the L1 cache of the multiprocessor, which other blocks may still be using. So a waiting block
 * polls with relaxed loads and acquires once at the end. (Polling with acquiring loads makes a step take half as long again.) */
static __device__ __forceinline__ u64 ls_await(ls_cuda_control *ctl, u32 generation) {
  u64 word;
  do {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(&ctl->word) : "memory");
  } while ((word & GENERATION) != generation);
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(&ctl->word) : "memory");
  return word;
}

/* The releasing block writes the state of the loop to global memory. Any block may be the last to arrive at the next barrier and
 * then needs it, so every block copies it asynchronously while it runs its turn. */
static __device__ __forceinline__ void ls_fetch_stand(ls_cuda_control *ctl, ls_stand &stand) {
#if __CUDA_ARCH__ >= 800
#pragma unroll
  for (u32 i = 0; i < sizeof stand / 16; i++)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"((u32)__cvta_generic_to_shared((char *)&stand + 16 * i)), "l"((const char *)&ctl->stand + 16 * i)
                 : "memory");
#else
#pragma unroll
  for (u32 i = 0; i < LS_STAND_WORDS; i++) ((u32 *)&stand)[i] = __ldcg((const u32 *)&ctl->stand + i);
#endif
}
static __device__ __forceinline__ void ls_await_stand() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/* The bits that this block reports: `counted`, the mask of its non-zero counts, and the hub and long-row flags in shared memory,
 * which are cleared. `beside` is true in a block that ran the second step of a TOGETHER pair. */
static __device__ __forceinline__ u32 ls_own_bits(ls_shared &sh, u32 counted, bool beside) {
  const u32 hubs = sh.hubbed ? beside ? HUBS_BESIDE_BIT : HUBS_BIT : 0, listed = sh.listed ? LISTED_BIT : 0;
  sh.hubbed = sh.listed = 0;
  return (beside ? (counted & 3) << 2 : counted) | hubs | listed;
}

/* Ends the turn for the whole grid: computes the next turn and, unless this block goes on alone, releases the barrier. Called by
 * the last block to arrive. Returns the next turn's word. */
template <bool HAS_FOR, class P>
static __device__ __forceinline__ u64 ls_end_for_all(const P &p, const ls_loop_launch &L, ls_cuda_control *ctl, ls_turn &turn,
                                                     ls_first &first, u32 generation, u32 bits) {
  first.before = first.stand;
  ls_stand &x = first.stand;
  ls_advance(p, x, turn.var, bits);
  const u32 decided = ls_decide(p, L, ctl, first.before, x, bits);
  const u64 word = ls_word(p, x, decided) | generation;
  first.to_tell = !x.pieces;
  if (decided & STOP) ls_tell(p, L, ctl, first, true);
  if (decided & ALONE || gridDim.x == 1) return word;
  ctl->stand = x;
  if constexpr (HAS_FOR)
    for (int v = 0; v < LS_MAX_VARS; v++) ctl->var[v] = turn.var[v];
  ls_release(ctl, word);
  return word;
}

/* Ends the turn for a block: its first thread arrives at the barrier, waits for the release, and sets `turn` to the next one. */
template <bool HAS_FOR, class P>
static __device__ __forceinline__ void ls_end_turn(const P &p, const ls_loop_launch &L, ls_turn &turn, ls_first &first, u32 bits) {
  ls_cuda_control *ctl = L.control;
  u32 generation = (u32)turn.word & GENERATION;
  bool last = turn.word & ALONE || gridDim.x == 1; /* only this block ran the turn: no barrier is needed */
  ls_await_stand();
  if (!last) {
    u64 add = 1;
#pragma unroll
    for (int i = 0; i < 6; i++) add += (u64)(bits >> i & 1) << (ARRIVED_BITS + TOLD_BITS * i);
    generation = (generation + 1) & GENERATION;
    const u64 total = ls_arrive(ctl, add);
    last = (total & ((1 << ARRIVED_BITS) - 1)) == gridDim.x;
    if (last) {
      ctl->loop_arrived = 0;
      bits = 0;
#pragma unroll
      for (int i = 0; i < 6; i++) bits |= (u32)((total >> (ARRIVED_BITS + TOLD_BITS * i) & MOST_BLOCKS) != 0) << i;
    }
  }
  if (last) {
    turn.word = ls_end_for_all<HAS_FOR>(p, L, ctl, turn, first, generation, bits);
    return;
  }
  first.to_tell = false;
  const u64 word = ls_await(ctl, generation);
  if constexpr (HAS_FOR)
    for (int v = 0; v < LS_MAX_VARS; v++) turn.var[v] = __ldcg(&ctl->var[v]);
  turn.word = word;
  ls_fetch_stand(ctl, first.stand);
}

/* --- a turn ------------------------------------------------------------------------------------------------------ */

/* Runs this block's share of a step. Returns a bit mask of the counts that are not zero. */
template <class S, bool HAS_FOR, class P>
static __device__ __forceinline__ u32 ls_run_turn(const P &p, ls_cuda_control *ctl, ls_shared &sh, const ls_turn &turn, u64 word,
                                                  u32 side, u32 block, u32 blocks) {
  const u32 at = ls_step_of_word(word) + side, set = ls_set_of_word(word, side);
  const ls_cuda_step &s = ls_step_at(p, set);
  ls_hubs *hubs = S::ahead && p.ahead >> at & 1 ? &ctl->hubs[at] : nullptr;
  const ls_team team = {block, blocks, hubs, (word & (side ? ODD_BESIDE : ODD)) != 0, &ctl->long_rows, &ctl->full[at], &ctl->any_full};
  typename S::Counts count = {};
  typename S::Queues push;
  S::begin(sh, s, push);
  const auto walk = [&](const typename S::Args &a) {
    if constexpr (S::domain == LS_VERTEX_BEST) {
      if (word & PIECES)
        ls_walk_pieces<S>(a, s, count, sh, push, team);
      else
        ls_walk<S, S::domain>::vertices(a, s, count, sh, push, team);
    } else {
      ls_walk<S, S::domain>::run(a, s, count, sh, push, team);
    }
  };
  const typename S::Args &given = *(const typename S::Args *)&p.sets[set + STEP_WORDS];
  if constexpr (HAS_FOR) {
    typename S::Args a = given;
    for (int v = 0; v < LS_MAX_VARS; v++)
      if (p.var[at][v] != NO_VAR) S::put(a, p.var[at][v], turn.var[v]);
    walk(a);
  } else {
    walk(given);
  }
  ls_settle<S>(count, sh, push, team);
  return ls_add_counts<S>(count, sh, ctl->turn_counts[(word & PARITY) != 0][side]);
}

template <bool HAS_FOR, class P, class S, class... More>
static __device__ __forceinline__ u32 ls_run_row(const P &p, u32 row, ls_cuda_control *ctl, ls_shared &sh, const ls_turn &turn,
                                                 u64 word, u32 side, u32 block, u32 blocks) {
  if constexpr (sizeof...(More) > 0)
    if (row > 0) return ls_run_row<HAS_FOR, P, More...>(p, row - 1, ctl, sh, turn, word, side, block, blocks);
  return ls_run_turn<S, HAS_FOR>(p, ctl, sh, turn, word, side, block, blocks);
}

template <bool HAS_FOR, bool HAS_TOGETHER, class P, class... Rows>
static __device__ __forceinline__ void ls_run_loop(const P &p, const ls_loop_launch &L) {
  __shared__ ls_shared sh;
  __shared__ ls_turn turn;
  __shared__ ls_first first; /* in shared memory, to leave the registers to the bodies */
  ls_cuda_control *ctl = L.control;
  const u32 teller = (blockDim.x - 1) & ~31u; /* this thread calls ls_tell: in a turn of few items the last warp has none */
  if (threadIdx.x == 0) {
    ls_start_shared(sh);
    first.stand.at = L.at;
    first.stand.turn = first.stand.entries = first.stand.odd = first.stand.of_rows = first.stand.pieces = 0;
    first.to_tell = false;
    for (int v = 0; v < LS_MAX_VARS; v++) turn.var[v] = L.var[v];
    turn.word = ls_word(p, first.stand, 0) | (L.generation & GENERATION);
    for (u32 side = 0; L.traced && side <= (p.op[L.at.op].to != 0); side++)
      first.stand.items[side] = ls_items(ls_step_at(p, ls_set_of_word(turn.word, side)));
    if (blockIdx.x == 0) {
      ctl->begin = ls_clock();
      if (L.summed) atomicAdd(&ctl->sums[p.op[L.at.op].at].time, 0ull - ctl->begin);
    }
  }
  __syncthreads();
  for (u64 word; !((word = turn.word) & STOP);) {
    if (threadIdx.x == teller && first.to_tell) ls_tell(p, L, ctl, first, false);
    u32 side = 0, block = blockIdx.x, blocks = gridDim.x;
    if (word & ALONE) {
      block = 0, blocks = 1;
    } else if (HAS_TOGETHER && word & BESIDE) { /* each of the two steps gets half of the blocks */
      side = block & 1;
      blocks = (blocks + !side) / 2;
      block /= 2;
    }
    const u32 counted = ls_run_row<HAS_FOR, P, Rows...>(p, p.row[ls_step_of_word(word) + side], ctl, sh, turn, word, side, block, blocks);
    __syncthreads();
    if (threadIdx.x == 0) ls_end_turn<HAS_FOR>(p, L, turn, first, ls_own_bits(sh, counted, side));
    __syncthreads();
  }
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  ls_await_stand(); /* the state is written at every release, also at the one that stops the loop */
  ls_cuda_report *report = L.report;
  report->at = first.stand.at;
  for (int v = 0; v < LS_MAX_VARS; v++) report->var[v] = turn.var[v];
  report->ring_used = L.traced ? first.stand.entries : 0;
  report->begin = ctl->begin;
  report->end = ls_clock();
  report->generation = (u32)turn.word & GENERATION;
  ctl->long_rows.listed = 0;
  report->any_full = *(volatile u32 *)&ctl->any_full;
  ctl->any_full = 0;
  for (u32 s = 0; report->any_full && s < LS_MAX_STEPS; s++) {
    report->full[s] = *(volatile u32 *)&ctl->full[s];
    ctl->full[s] = 0;
  }
  for (u32 s = 0; s < L.nsteps; s++) {
    for (u32 k = 0; k < LS_MAX_COUNTS; k++) {
      report->loop_counts[s][k] = __ldcg((const u64 *)&ctl->totals[s][k]);
      ctl->totals[s][k] = 0;
    }
    if (!L.summed) continue;
    ls_step_sum *sum = &ctl->sums[s];
    report->sums[s] = {__ldcg(&sum->time), __ldcg(&sum->items), __ldcg(&sum->turns)};
    *sum = {0, 0, 0};
  }
  __threadfence_system();
  *(volatile u64 *)&report->done = L.ticket;
}

template <bool HAS_FOR, bool HAS_TOGETHER, class... Rows>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    ls_small_loop(const __grid_constant__ ls_small_program p, const __grid_constant__ ls_loop_launch L) {
  ls_run_loop<HAS_FOR, HAS_TOGETHER, ls_small_program, Rows...>(p, L);
}
template <bool HAS_FOR, bool HAS_TOGETHER, class... Rows>
static __global__ void __launch_bounds__(BLOCK, RESIDENT) ls_large_loop(const __grid_constant__ ls_loop_launch L) {
  ls_run_loop<HAS_FOR, HAS_TOGETHER, ls_large_program, Rows...>(ls_present, L);
}

/* --- what the generated files expand ------------------------------------------------------------------------- */

/* Writes an argument set: the row's ls_cuda_step, then its arguments. Returns its length in words; 0 if it does not fit. */
template <class S, class... More> static u32 ls_put_set(u32 row, const ls_launch *L, const ls_bind *bind, u64 items, u64 *to, u32 room) {
  if constexpr (sizeof...(More) > 0)
    if (row > 0) return ls_put_set<More...>(row - 1, L, bind, items, to, room);
  const ls_cuda_step step = ls_cuda_step_of(bind, items);
  const typename S::Args args = S::bind_args(L, bind);
  const u32 words = STEP_WORDS + (u32)(sizeof args + 7) / 8;
  if (words > room) return 0;
  memcpy(to, &step, sizeof step);
  memcpy(to + STEP_WORDS, &args, sizeof args);
  return words;
}

/* The index of the row called `name` among the kernel's rows. */
template <class S, class... More> static u8 ls_row_called(const char *name, u8 at = 0) {
  if constexpr (sizeof...(More) > 0)
    if (strcmp(name, S::called) != 0) return ls_row_called<More...>(name, (u8)(at + 1));
  return at;
}

/* Fills p from the loop that L launches. *bytes: the size of the part of p that is used. */
template <class P, class... Rows> static ls_status ls_fill_program(ls_launch *L, P &p, size_t *bytes) {
  const ls_loop *loop = L->loop;
  u32 used = 0;
  int ops = 0;
  while (loop->code.op[ops].kind != LS_OP_END) ops++;
  if (loop->nsteps > P::MAX_STEPS || ops + 1 > P::MAX_OPS)
    return ls_fail(LS_EARG, "%s: %d steps and %d operations are too many", L->prim->name, loop->nsteps, ops + 1);
  memcpy(p.op, loop->code.op, (size_t)(ops + 1) * sizeof *p.op);
  memcpy(p.flags, loop->code.flags, (size_t)loop->nsteps * sizeof *p.flags);
  memcpy(p.limit, L->limit, sizeof p.limit);
  p.ahead = p.edges = 0;
  for (int s = 0; s < loop->nsteps; s++) {
    const ls_step *step = &loop->step[s];
    p.row[s] = ls_row_called<Rows...>(step->prim->name);
    memcpy(p.pair[s], step->pair, sizeof p.pair[s]);
    memset(p.var[s], NO_VAR, sizeof p.var[s]);
    for (int i = 0; i < step->prim->nargs; i++) {
      if (step->arg[i] >= LS_VARIABLE && step->arg[i] != LS_CONSTANT) p.var[s][step->arg[i] - LS_VARIABLE] = (u8)i;
      if (step->prim->args[i].ahead && loop->code.alone >> s & 1) p.ahead |= 1u << s;
    }
    if (step->prim->domain == LS_QUEUE_EDGES) p.edges |= 1u << s;
    int pairs = 0;
    while (pairs < LS_STEP_PAIRS && step->pair[pairs] != LS_NO_PAIR) pairs++;
    for (u32 variant = 0; variant < 1u << pairs; variant++) {
      u32 swaps = 0;
      for (int i = 0; i < pairs; i++) swaps |= (variant >> i & 1) << step->pair[i];
      ls_bind bind;
      ls_bind_step(L, s, swaps, &bind);
      const u32 words = ls_put_set<Rows...>(p.row[s], L, &bind, L->step_items[s], &p.sets[used], P::MAX_WORDS - used);
      if (!words) return ls_fail(LS_EARG, "%s: its arguments take more than %d words", L->prim->name, (int)P::MAX_WORDS);
      p.set_at[s][variant] = (uint16_t)used;
      used += words;
    }
  }
  *bytes = offsetof(P, sets) + used * sizeof *p.sets;
  return LS_OK;
}

/* The dynamic shared memory per block: the maximum over the loop's rows. */
constexpr u32 ls_greater(u32 a, u32 b) { return a > b ? a : b; }
template <class... Rows> constexpr u32 ls_most_bytes() {
  u32 most = 0;
  ((most = ls_greater(most, Rows::bytes)), ...);
  return most;
}

template <bool HAS_FOR, bool HAS_TOGETHER, class... Rows> static ls_status ls_launch_small(ls_launch *L) {
  static ls_small_program p;
  static u32 resident[BLOCK / 32]; /* cached: resident blocks, by the number of warps per block */
  static const auto kernel = ls_small_loop<HAS_FOR, HAS_TOGETHER, Rows...>;
  size_t bytes; /* unused: a kernel parameter is copied whole */
  ls_status st = ls_fill_program<ls_small_program, Rows...>(L, p, &bytes);
  return st ? st : ls_cuda_run_loop(L, (const void *)kernel, BLOCK, RESIDENT, ls_most_bytes<Rows...>(), resident, &p);
}
template <bool HAS_FOR, bool HAS_TOGETHER, class... Rows> static ls_status ls_launch_large(ls_launch *L) {
  static ls_large_program p;
  static u32 resident[BLOCK / 32];
  static const auto kernel = ls_large_loop<HAS_FOR, HAS_TOGETHER, Rows...>;
  void *there;
  size_t bytes;
  ls_status st = ls_fill_program<ls_large_program, Rows...>(L, p, &bytes);
  if (!st) st = ls_cuda_use(L->device);
  if (!st) st = ls_cuda_check(L->device, cudaGetSymbolAddress(&there, ls_present), L->prim->name);
  if (!st) st = ls_cuda_put_program(L, &p, bytes, there);
  return st ? st : ls_cuda_run_loop(L, (const void *)kernel, BLOCK, RESIDENT, ls_most_bytes<Rows...>(), resident, NULL);
}

#define ROW(name) LS_JOIN(name##_step, W)
/* SIZE is small or large; HAS_FOR, HAS_TOGETHER: does the loop contain a FOR, a TOGETHER? */
#define CUDA_LOOP(name, SIZE, HAS_FOR, HAS_TOGETHER, ...)                                \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) {     \
    return ls_launch_##SIZE<HAS_FOR, HAS_TOGETHER, __VA_ARGS__>(L);                      \
  }

#endif
