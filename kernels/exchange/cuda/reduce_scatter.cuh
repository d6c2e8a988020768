/* reduce_scatter on CUDA: by NCCL, by peer access, or through the host, range by range: only the owner of a range gets its
 * reduction. */
#include "exchange/cuda/host_moves.cuh"
#include "exchange/cuda/peer_moves.cuh"
#include "run/devices/cuda_routes.h"

CUDA_LIBRARY(reduce_scatter) {
  u64 bounds[LS_MOST_RANKS + 1];
  ls_cuda_route route;
  ls_status st = ls_exchange_bounds("reduce_scatter", L->items, sizeof(W), a->first, a->past, bounds);
  if (st || ls_ranks() == 1) return st;
  st = ls_cuda_find_route(L, ls_nccl_reduces(L->type), &route);
  if (st) return st;
  if (route.nccl) return ls_nccl_reduce_scatter(L, stream, a->x, bounds, L->type, a->op);
  ls_cuda_peers *p = route.peers;
  const u64 me = (u64)ls_rank(), most = LS_PEER_SLAB / sizeof(W);
  for (u64 at = 0; !st && p && at < L->items; at += most, p->turn++) {
    const u64 past = L->items - at < most ? L->items : at + most;
    CUDA_TRY(L, cudaMemcpyAsync(ls_peer_slab(p, (int)me), a->x + at, (past - at) * sizeof(W), cudaMemcpyDefault, stream));
    st = peers_meet(L, stream, at);
    const u64 first = bounds[me] > at ? bounds[me] : at, last = bounds[me + 1] < past ? bounds[me + 1] : past;
    if (!st && first < last) st = peers_reduce(L, stream, p, a->x + first, first - at, last - first, a->op);
  }
  if (p) CUDA_TRY(L, cudaStreamSynchronize(stream)); /* the slabs of a rank that exits become invalid */
  for (u32 r = 0; !st && !p && r < (u32)ls_ranks(); r++) {
    const bool own = r == (u32)me;
    st = staged(L, stream, a->x, bounds[r], bounds[r + 1] - bounds[r], true, own, [=](void *piece, u64 n) {
      /* the range of rank r is the whole piece, that of any other rank is empty */
      return ls_exchange_reduce_scatter(piece, n, L->type, (ls_reduction)a->op, me > r ? n : 0, me < r ? 0 : n);
    });
  }
  return st;
}
