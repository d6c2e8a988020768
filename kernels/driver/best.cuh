/* The BEST domain on CUDA: finds, for every vertex, its edge of least score.
 *
 * The number of lanes that share a vertex, a power of two up to 32, is chosen so that each lane has about four edges on average.
 * Much longer rows are processed by whole blocks: the first kernel lists them in pieces of ROW_PIECE edges, and a second kernel
 * distributes the pieces over the blocks. */
#ifndef BEST_CUDA_CUH
#define BEST_CUDA_CUH

#include "driver/cuda.cuh"

enum { LONG_ROW = 512, ROW_PIECE = 4 * BLOCK };

/* Replaces the candidate (best, at) if the other one is better: lower score or, with equal scores, lower edge index. */
template <class T> static __device__ __forceinline__ void ls_better(T &best, u32 &at, T other, u32 other_at) {
  if (other_at != NO_EDGE && (at == NO_EDGE || other < best || (other == best && other_at < at))) best = other, at = other_at;
}
/* Reduces over groups of `lanes` neighbouring lanes; each lane gets its group's best. */
template <class T> static __device__ __forceinline__ void ls_best_lane(T &best, u32 &at, u32 lanes) {
  for (u32 d = lanes / 2; d; d /= 2) {
    const T other = __shfl_xor_sync(~0u, best, d);
    const u32 other_at = __shfl_xor_sync(~0u, at, d);
    ls_better(best, at, other, other_at);
  }
}
/* Reduces over the block; all threads get the block's best. */
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

/* Lists the pieces of v's row for the second kernel. false: the list is full, and the first kernel must walk the row. */
static __device__ __forceinline__ bool ls_list_row(ls_long_rows *rows, u32 v, u32 degree) {
  const u32 pieces = ls_pieces(degree), first = atomicAdd(&rows->listed, pieces);
  const bool room = first + pieces <= LS_ROW_PIECES;
  for (u32 k = first; k < first + pieces && k < LS_ROW_PIECES; k++)
    rows->vertex[k] = room ? v : LS_NO_VERTEX, rows->first[k] = first, rows->done[k] = 0;
  return room;
}

template <class S>
static __device__ __forceinline__ void ls_walk_pieces(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                      ls_shared &sh, typename S::Queues &push, const ls_team &team) {
  typedef typename S::Score Score;
  ls_long_rows *rows = team.rows;
  const u32 listed = min(rows->listed, (u32)LS_ROW_PIECES);
  for (u32 k = team.block; k < listed; k += team.blocks) {
    __syncthreads();
    const u32 v = rows->vertex[k], row = rows->first[k];
    if (v == LS_NO_VERTEX) continue;
    const ls_row of_v = S::row(&a, v);
    const u32 off = of_v.first, end = of_v.last, pieces = ls_pieces(end - off);
    const u32 first = off + (k - row) * ROW_PIECE, last = end - first < ROW_PIECE ? end : first + ROW_PIECE;
    Score best = 0;
    u32 at = NO_EDGE;
    ls_best_edge<S>(a, v, first + threadIdx.x, last, BLOCK, best, at);
    if (threadIdx.x == 0) count.ls_edges += last - first;
    ls_best_thread(best, at, sh);
    if (pieces > 1) { /* the block that finishes the row's last piece reduces over all pieces */
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
    S::flush(sh, push, false);
  }
}

template <class S> struct ls_walk<S, LS_VERTEX_BEST> {
  typedef typename S::Score Score;
  static __device__ __forceinline__ void run(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                             ls_shared &sh, typename S::Queues &push, const ls_team &team) {
    if (team.rows)
      ls_walk_pieces<S>(a, s, count, sh, push, team);
    else
      vertices(a, s, count, sh, push, team);
  }

  struct row {
    u32 v, first, last, mine; /* mine: v exists and is selected */
  };
  static __device__ __forceinline__ row read_row(const typename S::Args &a, const ls_cuda_step &s, u64 i) {
    row r = {(u32)i, 0, 0, 0};
    if (i >= s.items) return r;
    const ls_row edges = S::row(&a, r.v);
    r.first = edges.first, r.last = edges.last;
    r.mine = S::select(&a, r.v);
    return r;
  }

  /* All rows that are not long; long rows are listed, if team.rows is not NULL. The offsets of the next row are loaded before the
   * edges of this one, to hide their latency. */
  static __device__ __forceinline__ void vertices(const typename S::Args &a, const ls_cuda_step &s, typename S::Counts &count,
                                                  ls_shared &sh, typename S::Queues &push, const ls_team &team) {
    u32 lanes = 1;
    while (lanes < 32 && s.items * lanes * 4 < a.m) lanes *= 2;
    const u32 lane = threadIdx.x & (lanes - 1), per_block = BLOCK / lanes;
    const u64 stride = (u64)team.blocks * per_block;
    u64 base = (u64)team.block * per_block;
    row next = read_row(a, s, base + threadIdx.x / lanes);
    for (; base < s.items; base += stride) {
      const u32 v = next.v, first = next.first, last = next.last;
      u32 mine = next.mine;
      next = read_row(a, s, base + stride + threadIdx.x / lanes);
      const bool is_long = mine && last - first > LONG_ROW && last - first > 64 * lanes;
      if (is_long && lane == 0 && team.rows) {
        mine = !ls_list_row(team.rows, v, last - first);
        sh.listed = 1;
      }
      mine = __shfl_sync(~0u, mine, 0, lanes);
      Score best = 0;
      u32 at = NO_EDGE;
      if (mine) ls_best_edge<S>(a, v, first + lane, last, lanes, best, at);
      if (mine && lane == 0) count.ls_edges += last - first;
      __syncwarp();
      ls_best_lane(best, at, lanes);
      if (mine && lane == 0) S::body(&a, &count, &push, v, at, best);
      S::flush(sh, push, false);
    }
  }
};

/* The first kernel of a BEST row; ls_kernel is the second. */
template <class S>
static __global__ void __launch_bounds__(BLOCK, RESIDENT)
    ls_best_kernel(const __grid_constant__ typename S::Args a, const __grid_constant__ ls_cuda_step s, ls_cuda_control *ctl,
                   ls_cuda_report *, u64) {
  __shared__ ls_shared sh;
  if (threadIdx.x == 0) {
    ls_start_shared(sh);
    if (blockIdx.x == 0) ctl->begin = ls_clock();
  }
  __syncthreads();
  const ls_team team = {blockIdx.x, gridDim.x, nullptr, 0, &ctl->long_rows, &ctl->full[0], nullptr};
  typename S::Counts count = {};
  typename S::Queues push;
  S::begin(sh, s, push);
  ls_walk<S, LS_VERTEX_BEST>::vertices(a, s, count, sh, push, team);
  ls_settle<S>(count, sh, push, team);
  ls_add_counts<S>(count, sh, ctl->counts);
}

#endif
