/* The ways by which buffers go between the devices of several ranks: copies from device to device (peers);
 * where a device does not reach another one's memory, as on another host, NCCL, if it is there; else the
 * host. Peers come first because a search makes many small exchanges: up to 64 MiB they take a half to nine
 * tenths of NCCL's time, which needs a second to begin (tests/gpu/README.md). C++ alone. */
#ifndef LS_RUN_CUDA_ROUTES_H
#define LS_RUN_CUDA_ROUTES_H

#include "run/cuda_nccl.h"
#include "run/cuda_peers.h"

/* Names one of them, "nccl", "peers" or "host", which is taken then, or the exchange fails. */
#define LS_ROUTE_VARIABLE "LOCKSTEP_EXCHANGE"

typedef struct ls_cuda_route {
  bool nccl;
  ls_cuda_peers *peers; /* NULL, and no nccl: by the host */
} ls_cuda_route;

/* Called by all ranks, after they have agreed on the exchange. nccl: can NCCL do this one? */
ls_status ls_cuda_find_route(ls_launch *L, bool nccl, ls_cuda_route *out);

#endif
