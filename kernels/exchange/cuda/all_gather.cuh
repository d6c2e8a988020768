/* all_gather on CUDA: by NCCL, by peer access, or through the host, where each rank's range is broadcast. */
#include "exchange/cuda/host_moves.cuh"
#include "exchange/cuda/nccl_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"

CUDA_LIBRARY(all_gather) {
  u64 bounds[LS_MOST_RANKS + 1];
  ls_cuda_route route;
  ls_status st = ls_exchange_bounds("all_gather", L->items, sizeof(W), a->first, a->past, bounds);
  if (st || ls_ranks() == 1) return st;
  st = ls_cuda_find_route(L, true, &route);
  if (st) return st;
  if (route.nccl) return nccl_gather(L, stream, a->x, bounds);
  if (route.peers) return peers_gather(L, stream, route.peers, a->x, bounds);
  for (u32 r = 0; !st && r < (u32)ls_ranks(); r++) {
    const bool own = r == (u32)ls_rank();
    st = staged(L, stream, a->x, bounds[r], bounds[r + 1] - bounds[r], own, !own,
                [=](void *piece, u64 n) { return ls_exchange_broadcast(piece, n, sizeof(W), r); });
  }
  return st;
}
