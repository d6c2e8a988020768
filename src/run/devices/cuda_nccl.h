/* NCCL moves buffers between the devices of ranks, on one host or several. Its library is opened on first
 * use, so that the program is built and runs without it. C++ only.
 *
 * All ranks call the same functions in the same order, after they have agreed that they do (ls_exchange_agree
 * or another of src/ranks/ranks.h). Offsets, sizes and bounds are in bytes, except those of reductions, which
 * are in elements. */
#ifndef LS_RUN_CUDA_NCCL_H
#define LS_RUN_CUDA_NCCL_H

#include <cuda_runtime.h>

#include "run/devices/cuda.h"

extern "C" {
#include "ranks/ranks.h"
}

/* Called by all ranks. *there: all ranks have NCCL, and each has a device of its own; else *why says what is
 * missing. */
ls_status ls_cuda_find_nccl(ls_launch *L, bool *there, const char **why);
const char *ls_nccl_name(void);      /* "NCCL 2.27.3" */
bool ls_nccl_reduces(ls_dtype type); /* false for integers of 16 bits, which NCCL lacks */

/* Each function returns when all ranks have completed the operation. If a rank is missing, it fails in the
 * others, and NCCL is not used any more. Rank r has the part of x from bounds[r] to bounds[r + 1]. */
ls_status ls_nccl_gather(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds);
ls_status ls_nccl_reduce(ls_launch *L, cudaStream_t stream, void *x, u64 count, ls_dtype type, u32 op);
/* bounds are in elements; x outside of the rank's own part does not change. */
ls_status ls_nccl_reduce_scatter(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds, ls_dtype type,
                                 u32 op);
/* send + out[q] up to send + out[q + 1] goes to rank q; data from rank r is written to receive + in[r] up to
 * receive + in[r + 1]. */
ls_status ls_nccl_each_to_each(ls_launch *L, cudaStream_t stream, const void *send, const u64 *out,
                               void *receive, const u64 *in);

#endif
