/* Moves elements by NCCL: converts offsets in elements to the byte offsets of src/run/devices/cuda_nccl.h. */
#ifndef EXCHANGE_NCCL_MOVES_CUH
#define EXCHANGE_NCCL_MOVES_CUH

#include "run/devices/cuda_routes.h"

/* Every rank gets every rank's range of x. */
template <class T> static ls_status nccl_gather(ls_launch *L, cudaStream_t stream, T *x, const u64 *bounds) {
  u64 bytes[LS_MOST_RANKS + 1];
  for (int r = 0; r <= ls_ranks(); r++) bytes[r] = bounds[r] * sizeof(T);
  return ls_nccl_gather(L, stream, x, bytes);
}

/* Sends send[out[q] .. out[q + 1] - 1] to rank q, and receives receive[in[q] .. in[q + 1] - 1] from it. */
template <class T>
static ls_status nccl_each_to_each(ls_launch *L, cudaStream_t stream, const T *send, const u64 *out, T *receive, const u64 *in) {
  u64 goes[LS_MOST_RANKS + 1], comes[LS_MOST_RANKS + 1];
  for (int r = 0; r <= ls_ranks(); r++) goes[r] = out[r] * sizeof(T), comes[r] = in[r] * sizeof(T);
  return ls_nccl_each_to_each(L, stream, send, goes, receive, comes);
}

#endif
