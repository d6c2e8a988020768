/* Moves elements directly from device to device, if the ranks' devices can access each other's memory. Each rank has two slabs
 * that all others can read, used alternately (src/run/devices/cuda_peers.h). */
#ifndef EXCHANGE_PEER_MOVES_CUH
#define EXCHANGE_PEER_MOVES_CUH

#include "exchange/exchange.h"
#include "ranks/rank_stats.h"
#include "run/devices/cuda_peers.h"

/* Barrier over all ranks, after this rank's writes to its slab are complete. Afterwards the current slabs of all ranks can be
 * read, and no rank still reads those that will be written next. */
static inline ls_status peers_meet(ls_launch *L, cudaStream_t stream, u64 at) {
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  return ls_exchange_meet(L->prim->name, at);
}

/* Every rank gets every rank's range of x. */
template <class T> static ls_status peers_gather(ls_launch *L, cudaStream_t stream, ls_cuda_peers *p, T *x, const u64 *bounds) {
  const int ranks = ls_ranks(), me = ls_rank();
  const u64 piece = LS_PEER_SLAB / sizeof(T);
  u64 most = 0;
  for (int r = 0; r < ranks; r++)
    if (bounds[r + 1] - bounds[r] > most) most = bounds[r + 1] - bounds[r];
  ls_rank_stats_moved((bounds[ranks] - (bounds[me + 1] - bounds[me])) * sizeof(T));
  for (u64 at = 0; at < most; at += piece, p->turn++) {
    for (int pass = 0; pass < 2; pass++) { /* 0: write this rank's piece; after a barrier, 1: read the others' */
      for (int r = 0; r < ranks; r++) {
        const u64 length = bounds[r + 1] - bounds[r];
        if ((r == me) != (pass == 0) || at >= length) continue;
        const size_t bytes = (length - at < piece ? length - at : piece) * sizeof(T);
        T *there = x + bounds[r] + at;
        if (pass == 0)
          CUDA_TRY(L, cudaMemcpyAsync(ls_peer_slab(p, r), there, bytes, cudaMemcpyDefault, stream));
        else
          CUDA_TRY(L, cudaMemcpyAsync(there, ls_peer_slab(p, r), bytes, cudaMemcpyDefault, stream));
      }
      const ls_status st = pass == 0 ? peers_meet(L, stream, at) : LS_OK;
      if (st) return st;
    }
  }
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the slabs of a rank that exits become invalid */
  return LS_OK;
}

template <class T> static __device__ __forceinline__ T combined(T x, T y, u32 op) {
  return op == LS_SUM ? (T)(x + y) : op == LS_MINIMUM ? (y < x ? y : x) : y > x ? y : x;
}

template <class T> static __global__ void peers_combine(T *into, const T *from, u64 count, u32 op) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
    into[i] = combined(into[i], from[i], op);
}

/* Sets `into` to the reduction of `count` elements from place `first` of all ranks' slabs on, in the order of the ranks. */
template <class T>
static ls_status peers_reduce(ls_launch *L, cudaStream_t stream, const ls_cuda_peers *p, T *into, u64 first, u64 count, u32 op) {
  if (!count) return LS_OK;
  ls_rank_stats_moved(count * sizeof(T) * ((u64)ls_ranks() - 1));
  const u32 blocks = (u32)(count / 1024 + 1 < 1024 ? count / 1024 + 1 : 1024);
  CUDA_TRY(L, cudaMemcpyAsync(into, (const T *)ls_peer_slab(p, 0) + first, count * sizeof(T), cudaMemcpyDefault, stream));
  for (int r = 1; r < ls_ranks(); r++)
    peers_combine<<<blocks, 256, 0, stream>>>(into, (const T *)ls_peer_slab(p, r) + first, count, op);
  CUDA_TRY(L, cudaGetLastError());
  return LS_OK;
}

/* all_to_all: sizes[r * ranks + q] elements go from rank r to q. A slab is divided into one place for each other rank. */
template <class T>
static ls_status peers_all_to_all(ls_launch *L, cudaStream_t stream, ls_cuda_peers *p, const T *x, const u64 *bounds, T *y,
                                  const u64 *starts, const u64 *sizes) {
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank(), place = LS_PEER_SLAB / sizeof(T) / (ranks - 1);
  u64 most = 0;
  for (u64 i = 0; i < ranks * ranks; i++)
    if (i / ranks != i % ranks && sizes[i] > most) most = sizes[i];
  const u64 own = bounds[me + 1] - bounds[me];
  ls_rank_stats_moved((starts[ranks] - own) * sizeof(T));
  if (own) CUDA_TRY(L, cudaMemcpyAsync(y + starts[me], x + bounds[me], own * sizeof(T), cudaMemcpyDefault, stream));
  for (u64 at = 0; at < most; at += place, p->turn++) {
    for (u64 q = 0; q < ranks; q++) {
      const u64 length = sizes[me * ranks + q], n = length - at < place ? length - at : place;
      if (q == me || at >= length) continue;
      T *there = (T *)ls_peer_slab(p, (int)me) + (q - (q > me)) * place;
      CUDA_TRY(L, cudaMemcpyAsync(there, x + bounds[q] + at, n * sizeof(T), cudaMemcpyDefault, stream));
    }
    const ls_status st = peers_meet(L, stream, at);
    if (st) return st;
    for (u64 r = 0; r < ranks; r++) {
      const u64 length = sizes[r * ranks + me], n = length - at < place ? length - at : place;
      if (r == me || at >= length) continue;
      const T *there = (const T *)ls_peer_slab(p, (int)r) + (me - (me > r)) * place;
      CUDA_TRY(L, cudaMemcpyAsync(y + starts[r] + at, there, n * sizeof(T), cudaMemcpyDefault, stream));
    }
  }
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the slabs of a rank that exits become invalid */
  return LS_OK;
}

#endif
