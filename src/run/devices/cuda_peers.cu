#include "run/devices/cuda_peers.h"

#include <string.h>

/* What each rank tells the others about its slabs. */
struct Offer {
  cudaIpcMemHandle_t handle;
  bool good;
};

static ls_cuda_peers peers;
static bool looked, reached;

ls_status ls_cuda_find_peers(ls_launch *L, ls_cuda_peers **out) {
  static Offer offers[LS_MOST_RANKS];
  const int me = ls_rank(), ranks = ls_ranks();
  *out = reached ? &peers : NULL;
  peers.turn = 0;
  if (looked) return LS_OK;
  looked = true;
  ls_status st = ls_cuda_use(L->device);
  void *mine = NULL;
  Offer *own = &offers[me];
  own->good = !st && ls_ranks_on_one_host() && cudaMalloc(&mine, 2 * (size_t)LS_PEER_SLAB) == cudaSuccess &&
              cudaIpcGetMemHandle(&own->handle, mine) == cudaSuccess;
  if (!st) st = ls_exchange_gather(offers, (u64)ranks, sizeof *offers, (u64)me, (u64)me + 1);
  bool good = !st;
  for (int r = 0; r < ranks && good; r++) good = offers[r].good;
  for (int r = 0; r < ranks && good; r++) {
    void *there = mine;
    if (r != me) good = cudaIpcOpenMemHandle(&there, offers[r].handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    peers.slab[r] = (u8 *)there;
  }
  if (!st) st = ls_exchange_all(good, &reached);
  if (!reached && mine) cudaFree(mine); /* exchanges then go through the host */
  cudaGetLastError();
  *out = reached ? &peers : NULL;
  return st;
}
