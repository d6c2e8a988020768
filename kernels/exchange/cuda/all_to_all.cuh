/* all_to_all on CUDA. */
#include "core/mem.h"
#include "exchange/cuda/host_moves.cuh"
#include "exchange/cuda/nccl_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"

CUDA_LIBRARY(all_to_all) {
  const u64 ranks = (u64)ls_ranks(), room = L->bind.size[2];
  u64 bounds[LS_MOST_RANKS + 1], starts[LS_MOST_RANKS + 1], *sizes = nullptr;
  ls_cuda_route route = {};
  ls_status st = exchange_check_ranks(L);
  if (st) return st;
  CUDA_TRY(L, cudaMemcpyAsync(bounds, a->bounds, (ranks + 1) * sizeof *bounds, cudaMemcpyDeviceToHost, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream));
  if (ranks > 1) {
    sizes = (u64 *)ls_malloc(ranks * ranks * sizeof *sizes);
    st = sizes ? ls_exchange_sizes("all_to_all", bounds, sizeof(W), room, sizes, starts) : LS_EMEM;
    if (!st) st = ls_cuda_find_route(L, true, &route);
  }
  if (!st)
    st = route.nccl    ? nccl_each_to_each(L, stream, a->x, bounds, a->y, starts)
         : route.peers ? peers_all_to_all(L, stream, route.peers, a->x, bounds, a->y, starts, sizes)
                       : host_all_to_all(L, stream, a->x, bounds, a->y, room, starts);
  ls_free(sizes);
  if (st) return st;
  CUDA_TRY(L, cudaMemcpyAsync(a->starts, starts, (ranks + 1) * sizeof *starts, cudaMemcpyHostToDevice, stream));
  CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the copy reads the local array `starts` */
  return LS_OK;
}
