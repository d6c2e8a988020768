/* The BEST domain on CUDA: of every vertex's edges the one of least score.
 *
 * So many lanes share a vertex as make some four edges each on average. A much longer row is left to whole blocks:
 * it is listed, in pieces, and every block that is through with its vertices takes pieces until there are none. */
#ifndef BEST_CUDA_CUH
#define BEST_CUDA_CUH

#include "driver_cuda.cuh"

enum { LONG_ROW = 512, ROW_PIECE = 4 * BLOCK };

/* The better of two candidates: the least score, of equal ones the lowest edge. */
template <class T> static __device__ __forceinline__ void ls_better(T &best, u32 &at, T other, u32 other_at) {
  if (other_at != NO_EDGE && (at == NO_EDGE || other < best || (other == best && other_at < at))) best = other, at = other_at;
}
/* The best of `lanes` neighbouring lanes, to all of them. */
template <class T> static __device__ __forceinline__ void ls_best_lane(T &best, u32 &at, u32 lanes) {
  for (u32 d = lanes / 2; d; d /= 2) {
    const T other = __shfl_xor_sync(~0u, best, d);
    const u32 other_at = __shfl_xor_sync(~0u, at, d);
    ls_better(best, at, other, other_at);
  }
}
/* The best of the block, to its first warp. */
template <class T> static __device__ __forceinline__ void ls_best_thread(T &best, u32 &at, ls_shared &sh) {
  T *of_warp = (T *)sh.first;
  ls_best_lane(best, at, 32);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = best, sh.warp_sums[threadIdx.x / 32] = at;
  __syncthreads();
  const u32 lane = threadIdx.x % 32;
  at = lane < BLOCK / 32 ? sh.warp_sums[lane] : NO_EDGE;
  best = lane < BLOCK / 32 ? of_warp[lane] : (T)0;
  __syncthreads();
  ls_best_lane(best, at, 32);
}

/* The best of edges first, first + step, ... below last. */
template <class S>
static __device__ __forceinline__ void ls_best_edge(const typename S::Args &a, u32 v, u32 first, u32 last, u32 step,
                                                    typename S::Score &best, u32 &at) {
#pragma unroll 4
  for (u32 e = first; e < last; e += step) {
    const typename S::Score score = S::score(&a, v, e);
    if (at == NO_EDGE || score < best) best = score, at = e;
  }
}

static __device__ __forceinline__ u32 ls_pieces(u32 degree) { return (degree + ROW_PIECE - 1) / ROW_PIECE; }

/* Lists the pieces of v's row for the blocks; false: there is no room. */
static __device__ __forceinline__ bool ls_list_row(ls_long_rows *rows, u32 ticket, u32 v, u32 degree) {
  const u32 pieces = ls_pieces(degree), first = atomicAdd(&rows->listed, pieces);
  for (u32 k = first; k < first + pieces && k < LS_ROW_PIECES; k++) {
    rows->vertex[k] = first + pieces <= LS_ROW_PIECES ? v : LS_NO_VERTEX, rows->first[k] = first, rows->done[k] = 0;
    __threadfence();
    *(volatile u32 *)&rows->ready[k] = ticket;
  }
  return first + pieces <= LS_ROW_PIECES;
}

/* The next piece that nobody has taken; LS_ROW_PIECES where there is none. Pieces that others list later, they see to
 * themselves. */
static __device__ __forceinline__ u32 ls_take_piece(ls_long_rows *rows, u32 ticket) {
  for (u32 k = *(volatile u32 *)&rows->taken;;) {
    if (k >= min(*(volatile u32 *)&rows->listed, (u32)LS_ROW_PIECES)) return LS_ROW_PIECES;
    const u32 was = atomicCAS(&rows->taken, k, k + 1);
    if (was == k) {
      while (*(volatile u32 *)&rows->ready[k] != ticket) {}
      __threadfence();
      return k;
    }
    k = was;
  }
}

template <class S>
static __device__ __forceinline__ void ls_walk_pieces(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                      ls_shared &sh, ls_push &push, ls_long_rows *rows, u32 ticket) {
  typedef typename S::Score Score;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) sh.wide = ls_take_piece(rows, ticket);
    __syncthreads();
    const u32 k = sh.wide;
    if (k == LS_ROW_PIECES) return;
    const u32 v = rows->vertex[k], row = rows->first[k];
    if (v == LS_NO_VERTEX) continue;
    const u32 off = s.off[v], end = s.off[v + 1], pieces = ls_pieces(end - off);
    const u32 first = off + (k - row) * ROW_PIECE, last = end - first < ROW_PIECE ? end : first + ROW_PIECE;
    Score best = 0;
    u32 at = NO_EDGE;
    ls_best_edge<S>(a, v, first + threadIdx.x, last, BLOCK, best, at);
    ls_best_thread(best, at, sh);
    if (pieces > 1) { /* whoever comes last compares them all */
      if (threadIdx.x == 0) {
        *(Score *)&rows->score[k] = best;
        rows->edge[k] = at;
        __threadfence();
        sh.wide = atomicAdd(&rows->done[row], 1) == pieces - 1;
      }
      __syncthreads();
      if (!sh.wide) continue;
      __threadfence();
      best = 0, at = NO_EDGE;
      for (u32 i = row + threadIdx.x; i < row + pieces; i += BLOCK)
        ls_better(best, at, __ldcg((const Score *)&rows->score[i]), __ldcg(&rows->edge[i]));
      ls_best_thread(best, at, sh);
    }
    if (threadIdx.x == 0) S::body(&a, &count, &push, v, at, best);
    ls_flush(sh, push, false);
  }
}

template <class S> struct ls_walk<S, LS_VERTEX_BEST> {
  typedef typename S::Score Score;
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, ls_push &push, const ls_team &team) {
    u32 lanes = 1;
    while (lanes < 32 && s.items * lanes * 4 < a.m) lanes *= 2;
    const u32 lane = threadIdx.x & (lanes - 1), per_block = BLOCK / lanes;
    for (u64 base = (u64)team.block * per_block; base < s.items; base += (u64)team.blocks * per_block) {
      const u64 i = base + threadIdx.x / lanes;
      const u32 v = (u32)i;
      u32 mine = i < s.items && S::select(&a, v);
      const u32 first = mine ? s.off[v] : 0, last = mine ? s.off[v + 1] : 0;
      const bool is_long = last - first > LONG_ROW && last - first > 64 * lanes;
      if (is_long && lane == 0 && team.rows) mine = !ls_list_row(team.rows, team.ticket, v, last - first);
      mine = __shfl_sync(~0u, mine, 0, lanes);
      Score best = 0;
      u32 at = NO_EDGE;
      if (mine) ls_best_edge<S>(a, v, first + lane, last, lanes, best, at);
      __syncwarp();
      ls_best_lane(best, at, lanes);
      if (mine && lane == 0) S::body(&a, &count, &push, v, at, best);
      ls_flush(sh, push, false);
    }
    if (team.rows) ls_walk_pieces<S>(a, s, count, sh, push, team.rows, team.ticket);
  }
};

#endif
