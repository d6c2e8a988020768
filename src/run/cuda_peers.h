/* Memory of several ranks' devices that all of them reach: pieces of buffers go from device to device by it,
 * without the host. C++ alone. */
#ifndef LS_RUN_CUDA_PEERS_H
#define LS_RUN_CUDA_PEERS_H

#include "run/cuda.h"

extern "C" {
#include "ranks/ranks.h"
}

enum { LS_PEER_SLAB = 1 << 25 }; /* bytes that a rank shows at a time */

/* Two slabs a rank, used in turn, as those of src/ranks/shared.c. */
typedef struct ls_cuda_peers {
  u8 *slab[LS_MOST_RANKS];
  u64 turn; /* of this exchange */
} ls_cuda_peers;

static inline u8 *ls_peer_slab(const ls_cuda_peers *p, int rank) {
  return p->slab[rank] + (p->turn % 2) * (u64)LS_PEER_SLAB;
}

/* Called by all ranks when an exchange begins: all have left the one before. *out is NULL where a rank cannot
 * reach all others' memory: they are on several hosts, or their devices are none of CUDA, or the driver
 * refuses. */
ls_status ls_cuda_find_peers(ls_launch *L, ls_cuda_peers **out);

#endif
