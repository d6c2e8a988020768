/* all_to_all on CUDA: what goes and what comes lie on the host meanwhile. */
#include "exchange/exchange.h"

CUDA_LIBRARY(all_to_all) {
  ls_status st = exchange_check_ranks(L);
  const u64 ranks = (u64)ls_ranks(), room = L->bind.size[2];
  const size_t send = L->items * sizeof(W), get = room * sizeof(W);
  u8 *host = nullptr;
  u64 bounds[LS_MOST_RANKS + 1], starts[LS_MOST_RANKS + 1];
  if (!st) st = ls_cuda_staging(L, send + get + 16, (void **)&host);
  if (st) return st;
  u8 *got = host + (send + 15) / 16 * 16;
  CUDA_TRY(L, cudaMemcpyAsync(bounds, a->bounds, (ranks + 1) * sizeof *bounds, cudaMemcpyDeviceToHost, stream));
  if (send) CUDA_TRY(L, cudaMemcpyAsync(host, a->x, send, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  st = ls_exchange_all_to_all(host, bounds, sizeof(W), got, room, starts);
  if (st) return st;
  if (starts[ranks]) CUDA_TRY(L, cudaMemcpyAsync(a->y, got, starts[ranks] * sizeof(W), cudaMemcpyHostToDevice, stream));
  CUDA_TRY(L, cudaMemcpyAsync(a->starts, starts, (ranks + 1) * sizeof *starts, cudaMemcpyHostToDevice, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* starts is this function's */
  return LS_OK;
}
