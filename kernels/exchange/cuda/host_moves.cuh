/* How the elements of a buffer on a device go to other ranks' devices through the host. */
#ifndef EXCHANGE_HOST_MOVES_CUH
#define EXCHANGE_HOST_MOVES_CUH

#include "driver/library.cuh"
#include "exchange/exchange.h"

enum { EXCHANGE_PIECE = 1 << 25 }; /* bytes that are on the host at a time */

/* Brings count elements of x from `first` on there piece by piece, does `move(piece, how many)`, and takes
 * them back. */
template <class T, class Move>
static ls_status staged(ls_launch *L, cudaStream_t stream, T *x, u64 first, u64 count, bool to_host, bool to_device, Move move) {
  const u64 most = EXCHANGE_PIECE / sizeof(T);
  void *host = nullptr;
  ls_status st = ls_cuda_staging(L, EXCHANGE_PIECE, &host);
  for (u64 at = 0; !st && at < count; at += most) {
    const u64 n = count - at < most ? count - at : most;
    T *there = x + first + at;
    if (to_host) CUDA_TRY(L, cudaMemcpyAsync(host, there, n * sizeof(T), cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(L, cudaStreamSynchronize(stream)); /* also of the piece before, whose place this is */
    st = move(host, n);
    if (!st && to_device) CUDA_TRY(L, cudaMemcpyAsync(there, host, n * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  return st;
}

/* all_to_all: what goes and what comes lie on the host meanwhile. bounds begin with 0 afterwards. */
template <class T>
static ls_status host_all_to_all(ls_launch *L, cudaStream_t stream, const T *x, u64 *bounds, T *y, u64 room, u64 *starts) {
  const u64 ranks = (u64)ls_ranks(), first = bounds[0], send = (bounds[ranks] - first) * sizeof(T);
  u8 *host = nullptr;
  ls_status st = ls_cuda_staging(L, send + room * sizeof(T) + 16, (void **)&host);
  if (st) return st;
  T *got = (T *)(host + (send + 15) / 16 * 16);
  for (u64 q = 0; q <= ranks; q++) bounds[q] -= first;
  if (send) CUDA_TRY(L, cudaMemcpyAsync(host, x + first, send, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  st = ls_exchange_all_to_all(host, bounds, sizeof(T), got, room, starts);
  if (!st && starts[ranks]) CUDA_TRY(L, cudaMemcpyAsync(y, got, starts[ranks] * sizeof(T), cudaMemcpyHostToDevice, stream));
  return st;
}

#endif
