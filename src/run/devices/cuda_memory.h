/* Memory of CUDA devices: allocation, copies, patterns, digests. C++ only. */
#ifndef LS_RUN_CUDA_MEMORY_H
#define LS_RUN_CUDA_MEMORY_H

extern "C" {
#include "data/buffer.h"
}

/* Registers the memory operations of buffers (ls_memory_ops). */
void ls_cuda_register_memory(void);

/* Three of these operations: to allocate and free memory in the order of the device's stream, and to copy
 * bytes to the host after all work that was submitted before. */
ls_status ls_cuda_alloc(int device, size_t bytes, void **out);
void ls_cuda_release(int device, void *p);
ls_status ls_cuda_to_host(int device, void *dst, const void *src, size_t bytes);

#endif
