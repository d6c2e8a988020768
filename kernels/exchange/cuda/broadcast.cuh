/* broadcast on CUDA. */
#include "exchange/cuda/staged.cuh"

CUDA_LIBRARY(broadcast) {
  if (a->root >= (u32)ls_ranks()) return ls_exchange_broadcast(nullptr, 0, 1, a->root); /* which says so */
  if (ls_ranks() == 1) return LS_OK;
  const bool own = a->root == (u32)ls_rank();
  return staged(L, stream, a->x, 0, L->items, own, !own,
                [=](void *piece, u64 n) { return ls_exchange_broadcast(piece, n, sizeof(W), a->root); });
}
