/* The threads of a GRID row on CUDA: all blocks are resident (a cooperative launch), and meet at a word in the device's memory.
 * A block's first thread arrives there for all, and waits; the words that the others wrote before are seen through it. */
#ifndef DRIVER_GRID_CUH
#define DRIVER_GRID_CUH

#include "core/types.h"

typedef struct ls_grid {
  u32 me, all; /* the number of this thread, and how many there are */
} ls_grid;

static __device__ u32 ls_grid_arrived; /* blocks, at all meetings of the launch */
static __shared__ u32 ls_grid_expected; /* when the meeting is held that the block has come to last */

static __device__ __forceinline__ void ls_grid_begin() { ls_grid_expected = 0; }
static __device__ __forceinline__ void ls_grid_end() { ls_grid_arrived = 0; }

/* Has the thread to wait? */
static __device__ __forceinline__ bool ls_grid_arrive(ls_grid *) {
  __syncthreads();
  if (gridDim.x == 1 || threadIdx.x != 0) return false;
  ls_grid_expected += gridDim.x;
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(&ls_grid_arrived) : "memory");
  return true;
}
/* A load that acquires empties the first-level cache of the multiprocessor, where other blocks may still be at work: a block that
 * waits asks without, and acquires once. */
static __device__ __forceinline__ bool ls_grid_waits(ls_grid *) {
  u32 arrived;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&ls_grid_arrived) : "memory");
  return (i32)(arrived - ls_grid_expected) < 0;
}
static __device__ __forceinline__ void ls_grid_go_on(ls_grid *) {
  if (gridDim.x == 1) return;
  [[maybe_unused]] u32 arrived;
  if (threadIdx.x == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&ls_grid_arrived) : "memory");
  __syncthreads();
}

#endif
