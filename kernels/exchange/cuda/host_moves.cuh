/* Moves elements of device buffers between ranks through host memory. */
#ifndef EXCHANGE_HOST_MOVES_CUH
#define EXCHANGE_HOST_MOVES_CUH

#include "driver/library.cuh"
#include "exchange/exchange.h"

enum { EXCHANGE_PIECE = 1 << 25 }; /* bytes copied to the host at a time */

/* For `count` elements of x from `first` on, piece by piece: copies them to the host (if to_host), calls move(piece, number of
 * elements), and copies them back (if to_device). */
template <class T, class Move>
static ls_status staged(ls_launch *L, cudaStream_t stream, T *x, u64 first, u64 count, bool to_host, bool to_device, Move move) {
  const u64 most = EXCHANGE_PIECE / sizeof(T);
  void *host = nullptr;
  ls_status st = ls_cuda_staging(L, EXCHANGE_PIECE, &host);
  for (u64 at = 0; !st && at < count; at += most) {
    const u64 n = count - at < most ? count - at : most;
    T *there = x + first + at;
    if (to_host) CUDA_TRY(L, cudaMemcpyAsync(host, there, n * sizeof(T), cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(L, cudaStreamSynchronize(stream)); /* also waits for the previous piece, which used the same host memory */
    st = move(host, n);
    if (!st && to_device) CUDA_TRY(L, cudaMemcpyAsync(there, host, n * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  return st;
}

/* all_to_all through the host: all elements sent and received are staged there. Shifts bounds so that bounds[0] = 0. */
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
