/* Copies of parts of matrices between the host and a CUDA device that overlap with kernels. The functions
 * implement the operations of ls_memory_ops (data/buffer.h) with the same names; cuda_memory.cu registers
 * them. C++ only. */
#ifndef LS_RUN_CUDA_ASYNC_COPIES_H
#define LS_RUN_CUDA_ASYNC_COPIES_H

extern "C" {
#include "data/buffer.h"
}

ls_status ls_cuda_move(int device, const ls_move *m, u64 *ticket);
ls_status ls_cuda_join(int device, u64 ticket);
ls_status ls_cuda_settle(int device, u64 ticket);
ls_status ls_cuda_pin(int device, void *host, size_t bytes);
void ls_cuda_unpin(int device, void *host);

#endif
