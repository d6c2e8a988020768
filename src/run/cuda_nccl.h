/* NCCL: its library moves buffers between ranks' devices, on one host or several. It is opened when it is
 * wanted first, so that the program is built and runs without it. C++ alone.
 *
 * All ranks call the same functions in the same order, after they have agreed that they do (ls_exchange_agree
 * or another of src/ranks/ranks.h). Offsets, sizes and bounds are in bytes, but for the elements of a
 * reduction. */
#ifndef LS_RUN_CUDA_NCCL_H
#define LS_RUN_CUDA_NCCL_H

#include <cuda_runtime.h>

#include "run/cuda.h"

extern "C" {
#include "ranks/ranks.h"
}

/* Called by all ranks. *there: all of them have NCCL, and a device each; else *why says what is missing. */
ls_status ls_cuda_find_nccl(ls_launch *L, bool *there, const char **why);
const char *ls_nccl_name(void);      /* "NCCL 2.27.3" */
bool ls_nccl_reduces(ls_dtype type); /* integers of 16 bits are unknown to it */

/* Each waits for its end, in all ranks. A rank that is missing is an error in the others; from then on NCCL
 * is not used any more. Of all of x, rank r has bounds[r] to bounds[r + 1]. */
ls_status ls_nccl_gather(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds);
ls_status ls_nccl_reduce(ls_launch *L, cudaStream_t stream, void *x, u64 count, ls_dtype type, u32 op);
/* bounds are of elements; x outside of the rank's own stays. */
ls_status ls_nccl_reduce_scatter(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds, ls_dtype type,
                                 u32 op);
/* send + out[q] up to send + out[q + 1] goes to rank q; what comes from rank r is put at receive + in[r] up
 * to receive + in[r + 1]. */
ls_status ls_nccl_each_to_each(ls_launch *L, cudaStream_t stream, const void *send, const u64 *out,
                               void *receive, const u64 *in);

#endif
