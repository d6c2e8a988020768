/* broadcast on CUDA. */
#include "exchange/cuda/host_moves.cuh"
#include "exchange/cuda/nccl_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"

CUDA_LIBRARY(broadcast) {
  if (a->root >= (u32)ls_ranks()) return ls_exchange_broadcast(nullptr, 0, 1, a->root); /* reports the error */
  if (ls_ranks() == 1) return LS_OK;
  const bool own = a->root == (u32)ls_rank();
  u64 bounds[LS_MOST_RANKS + 1];
  ls_cuda_route route;
  ls_status st = ls_exchange_agree("broadcast", L->items, sizeof(W), a->root);
  if (!st) st = ls_cuda_find_route(L, true, &route);
  if (st) return st;
  for (u32 r = 0; r <= (u32)ls_ranks(); r++) bounds[r] = r > a->root ? L->items : 0; /* the root's range is the whole buffer */
  if (route.nccl) return nccl_gather(L, stream, a->x, bounds);
  if (route.peers) return peers_gather(L, stream, route.peers, a->x, bounds);
  return staged(L, stream, a->x, 0, L->items, own, !own,
                [=](void *piece, u64 n) { return ls_exchange_broadcast(piece, n, sizeof(W), a->root); });
}
