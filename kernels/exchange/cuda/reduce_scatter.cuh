/* reduce_scatter on CUDA: range by range, of which the rank that owns it takes the reduction. */
#include "exchange/cuda/staged.cuh"

CUDA_LIBRARY(reduce_scatter) {
  u64 bounds[LS_MOST_RANKS + 1];
  ls_status st = ls_exchange_bounds("reduce_scatter", L->items, sizeof(W), a->first, a->past, bounds);
  for (u32 r = 0; !st && ls_ranks() > 1 && r < (u32)ls_ranks(); r++) {
    const bool own = r == (u32)ls_rank();
    st = staged(L, stream, a->x, bounds[r], bounds[r + 1] - bounds[r], true, own, [=](void *piece, u64 n) {
      const u64 me = (u64)ls_rank(); /* of this piece, rank r has all, and no other rank a part */
      return ls_exchange_reduce_scatter(piece, n, L->type, (ls_reduction)a->op, me > r ? n : 0, me < r ? 0 : n);
    });
  }
  return st;
}
