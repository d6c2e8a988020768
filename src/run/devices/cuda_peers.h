/* Device memory of each rank that the devices of all ranks can access: pieces of buffers are copied through
 * it from device to device, without the host. C++ only. */
#ifndef LS_RUN_CUDA_PEERS_H
#define LS_RUN_CUDA_PEERS_H

#include "run/devices/cuda.h"

extern "C" {
#include "ranks/ranks.h"
}

enum { LS_PEER_SLAB = 1 << 25 }; /* bytes that a rank exposes at a time */

/* Two slabs per rank, used alternately, like those of src/ranks/shared.c. */
typedef struct ls_cuda_peers {
  u8 *slab[LS_MOST_RANKS];
  u64 turn; /* pieces of this exchange so far; its parity selects the slab */
} ls_cuda_peers;

static inline u8 *ls_peer_slab(const ls_cuda_peers *p, int rank) {
  return p->slab[rank] + (p->turn % 2) * (u64)LS_PEER_SLAB;
}

/* Called by all ranks when an exchange begins, after all ranks have left the previous one. *out is NULL if a
 * rank cannot access the memory of all others: they are on several hosts, not all have CUDA devices, or the
 * driver refuses. */
ls_status ls_cuda_find_peers(ls_launch *L, ls_cuda_peers **out);

#endif
