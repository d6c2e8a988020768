/* all_reduce on CUDA: by NCCL, by peer access, or through the host. With peer access, each rank reduces its part of each piece
 * and then gathers the others' parts. */
#include "exchange/cuda/host_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"
#include "run/devices/cuda_routes.h"

CUDA_LIBRARY(all_reduce) {
  if (ls_ranks() == 1) return LS_OK;
  ls_cuda_route route;
  ls_status st = ls_exchange_agree("all_reduce", L->items, sizeof(W), a->op);
  if (!st) st = ls_cuda_find_route(L, ls_nccl_reduces(L->type), &route);
  if (st) return st;
  if (route.nccl) return ls_nccl_reduce(L, stream, a->x, L->items, L->type, a->op);
  ls_cuda_peers *p = route.peers;
  if (!p)
    return staged(L, stream, a->x, 0, L->items, true, true,
                  [=](void *piece, u64 n) { return ls_exchange_reduce(piece, n, L->type, (ls_reduction)a->op); });
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank(), most = LS_PEER_SLAB / sizeof(W);
  for (u64 at = 0; !st && at < L->items; at += most, p->turn++) {
    const u64 n = L->items - at < most ? L->items - at : most;
    u64 bounds[LS_MOST_RANKS + 1];
    for (u64 r = 0; r <= ranks; r++) bounds[r] = n * r / ranks;
    W *x = a->x + at;
    CUDA_TRY(L, cudaMemcpyAsync(ls_peer_slab(p, (int)me), x, n * sizeof(W), cudaMemcpyDefault, stream));
    st = peers_meet(L, stream, at);
    if (!st) st = peers_reduce(L, stream, p, x + bounds[me], bounds[me], bounds[me + 1] - bounds[me], a->op);
    p->turn++; /* gathering uses the other slabs, because other ranks may still be reading these */
    if (!st) st = peers_gather(L, stream, p, x, bounds);
    p->turn--; /* peers_gather has added 1 */
  }
  return st;
}
