/* Large pieces of device memory that have been freed and stay mapped, for the next allocation of their size:
 * CUDA's own pool often maps a large allocation anew, which takes longer than many kernels. Work on the
 * device's stream is in order, so that whoever takes a piece writes it after all that was submitted before it
 * was freed. C++ only. */
#ifndef LS_RUN_CUDA_KEPT_H
#define LS_RUN_CUDA_KEPT_H

#include <stddef.h>

#include "core/types.h"

/* The size at which an allocation of so many bytes is made: large ones are rounded up, so that more of them
 * are alike. */
size_t ls_cuda_kept_size(size_t bytes);

/* A kept piece of exactly that size, which is then in use; NULL: there is none. */
void *ls_cuda_kept_take(int device, size_t bytes);

/* Notes a new piece that is in use. Without effect if it is small or too many are noted. */
void ls_cuda_kept_note(int device, void *p, size_t bytes);

/* Keeps a piece that was in use. false: it is not noted, and the caller frees it. */
bool ls_cuda_kept_give(int device, void *p);

/* Bytes of all kept pieces. */
u64 ls_cuda_kept_bytes(int device);

/* Forgets the piece that has been kept for the longest time; the caller frees it. NULL: none is kept. */
void *ls_cuda_kept_drop(int device);

#endif
