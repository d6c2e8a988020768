/* Chooses how buffers move between the devices of several ranks: by copies from device to device (peers); if
 * a device cannot access another one's memory, as on another host, by NCCL if available; else through the
 * host. Peers come first because a search makes many small exchanges: up to 64 MiB they take a half to nine
 * tenths of NCCL's time, and NCCL needs a second to start (tests/gpu/HISTORY.md). C++ only. */
#ifndef LS_RUN_CUDA_ROUTES_H
#define LS_RUN_CUDA_ROUTES_H

#include "run/devices/cuda_nccl.h"
#include "run/devices/cuda_peers.h"

/* This variable requests one route, "nccl", "peers" or "host"; an exchange fails if that route is
 * impossible. */
#define LS_ROUTE_VARIABLE "LOCKSTEP_EXCHANGE"

typedef struct ls_cuda_route {
  bool nccl;
  ls_cuda_peers *peers; /* NULL, and no nccl: through the host */
} ls_cuda_route;

/* Called by all ranks, after they have agreed on the exchange. nccl: does NCCL support this exchange? */
ls_status ls_cuda_find_route(ls_launch *L, bool nccl, ls_cuda_route *out);

#endif
