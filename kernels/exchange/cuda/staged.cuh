/* Exchanges of buffers on a device go through host memory, piece by piece. */
#ifndef EXCHANGE_STAGED_CUH
#define EXCHANGE_STAGED_CUH

#include "exchange/exchange.h"
#include "run/cuda.h"

enum { EXCHANGE_PIECE = 1 << 25 }; /* bytes */

/* For the count elements of x from `first` on: brings a piece to the host, does `move(piece, how many)` there, and takes it
 * back, unless this rank is the only one. */
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

#endif
