/* halo and halo_reduce on CUDA: by NCCL, by peer access, or through the host. */
#ifndef EXCHANGE_HALO_MOVES_CUH
#define EXCHANGE_HALO_MOVES_CUH

#include "exchange/cuda/nccl_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"

template <class T> static __global__ void halo_pack(T *to, const T *x, const u32 *list, u64 count) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) to[i] = x[list[i]];
}

/* Reduces from[i] into x[list[i]]. op: the reduction; LS_REDUCTIONS: store. */
template <class T> static __global__ void halo_put(T *x, const u32 *list, const T *from, u64 count, u32 op) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
    T *there = &x[list[i]];
    *there = op == LS_REDUCTIONS ? from[i] : combined(*there, from[i], op);
  }
}

static inline u32 halo_blocks(u64 count) { return (u32)(count / 256 + 1 < 1024 ? count / 256 + 1 : 1024); }

/* Stores or reduces the elements that came from all ranks, one rank after another, because two ranks may have sent a value for
 * the same element. */
template <class T>
static ls_status halo_put_all(ls_launch *L, cudaStream_t stream, T *x, const u32 *in, const u64 *in_at, const T *came, u32 op) {
  for (int r = 0; r < ls_ranks(); r++) {
    const u64 n = in_at[r + 1] - in_at[r];
    if (n) halo_put<<<halo_blocks(n), 256, 0, stream>>>(x, in + in_at[r], came + (in_at[r] - in_at[0]), n, op);
  }
  CUDA_TRY(L, cudaGetLastError());
  return LS_OK;
}

/* halo_moved (cpu/halo_moves.h) by peer access: through the slabs, which are divided into one place for each other rank. most:
 * the maximum number of elements that a rank sends to another. */
template <class T>
static ls_status peers_halo(ls_launch *L, cudaStream_t stream, ls_cuda_peers *p, T *x, const u32 *out, const u64 *out_at,
                            const u32 *in, const u64 *in_at, u64 most, u32 op) {
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank(), place = LS_PEER_SLAB / sizeof(T) / (ranks - 1);
  for (u64 at = 0; at < most; at += place, p->turn++) {
    for (u64 q = 0; q < ranks; q++) {
      const u64 length = out_at[q + 1] - out_at[q], n = length - at < place ? length - at : place;
      if (at >= length) continue;
      T *there = (T *)ls_peer_slab(p, (int)me) + (q - (q > me)) * place;
      halo_pack<<<halo_blocks(n), 256, 0, stream>>>(there, x, out + out_at[q] + at, n);
    }
    CUDA_TRY(L, cudaGetLastError());
    const ls_status st = peers_meet(L, stream, at);
    if (st) return st;
    for (u64 r = 0; r < ranks; r++) {
      const u64 length = in_at[r + 1] - in_at[r], n = length - at < place ? length - at : place;
      if (at >= length) continue;
      const T *there = (const T *)ls_peer_slab(p, (int)r) + (me - (me > r)) * place;
      halo_put<<<halo_blocks(n), 256, 0, stream>>>(x, in + in_at[r] + at, there, n, op);
      ls_rank_stats_moved(n * sizeof(T));
    }
    CUDA_TRY(L, cudaGetLastError());
  }
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the slabs of a rank that exits become invalid */
  return LS_OK;
}

/* halo_moved by NCCL: all elements sent and received are packed into the device's scratch memory. */
template <class T>
static ls_status nccl_halo(ls_launch *L, cudaStream_t stream, T *x, const u32 *out, const u64 *out_at, const u32 *in,
                           const u64 *in_at, u32 op) {
  const u64 ranks = (u64)ls_ranks(), sent = out_at[ranks] - out_at[0], got = in_at[ranks] - in_at[0];
  u64 goes[LS_MOST_RANKS + 1], comes[LS_MOST_RANKS + 1];
  T *send = nullptr;
  ls_status st = ls_cuda_scratch(L, (sent + got + 1) * sizeof(T), (void **)&send);
  if (st) return st;
  for (u64 r = 0; r <= ranks; r++) goes[r] = out_at[r] - out_at[0], comes[r] = in_at[r] - in_at[0];
  if (sent) halo_pack<<<halo_blocks(sent), 256, 0, stream>>>(send, x, out + out_at[0], sent);
  CUDA_TRY(L, cudaGetLastError());
  st = nccl_each_to_each(L, stream, send, goes, send + sent, comes);
  return st ? st : halo_put_all(L, stream, x, in, in_at, send + sent, op);
}

/* halo_moved through the host: the kernels read and write mapped host memory. */
template <class T>
static ls_status host_halo(ls_launch *L, cudaStream_t stream, T *x, const u32 *out, const u64 *out_at, const u32 *in,
                           const u64 *in_at, u32 op) {
  const u64 ranks = (u64)ls_ranks(), sent = out_at[ranks] - out_at[0], got = in_at[ranks] - in_at[0];
  T *send = nullptr;
  ls_status st = ls_cuda_staging(L, (sent + got + 1) * sizeof(T), (void **)&send);
  if (st) return st;
  if (sent) halo_pack<<<halo_blocks(sent), 256, 0, stream>>>(send, x, out + out_at[0], sent);
  CUDA_TRY(L, cudaGetLastError());
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  st = ls_exchange_halo(L->prim->name, send, out_at, sizeof(T), op, send + sent, in_at);
  if (!st) st = halo_put_all(L, stream, x, in, in_at, send + sent, op);
  if (st) return st;
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the host memory is reused by the next launch */
  return LS_OK;
}

template <class T>
static ls_status halo_moved(ls_launch *L, cudaStream_t stream, T *x, const u32 *out, const u64 *out_there, const u32 *in,
                            const u64 *in_there, u32 op) {
  u64 out_at[LS_MOST_RANKS + 1], in_at[LS_MOST_RANKS + 1], most = 0;
  const size_t bytes = ((size_t)ls_ranks() + 1) * sizeof(u64);
  ls_cuda_route route;
  if (L->bind.size[2] != (u64)ls_ranks() + 1) return exchange_check_halo(L, out_at, in_at); /* reports the error */
  CUDA_TRY(L, cudaMemcpyAsync(out_at, out_there, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(L, cudaMemcpyAsync(in_at, in_there, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  ls_status st = exchange_check_halo(L, out_at, in_at);
  if (st || ls_ranks() == 1) return st;
  st = ls_exchange_halo_sizes(L->prim->name, out_at, sizeof(T), op, in_at, &most);
  if (!st) st = ls_cuda_find_route(L, true, &route);
  if (st) return st;
  return route.nccl    ? nccl_halo(L, stream, x, out, out_at, in, in_at, op)
         : route.peers ? peers_halo(L, stream, route.peers, x, out, out_at, in, in_at, most, op)
                       : host_halo(L, stream, x, out, out_at, in, in_at, op);
}

#endif
