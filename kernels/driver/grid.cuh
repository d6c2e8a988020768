/* The grid-wide barrier of a GRID row on CUDA. All blocks are resident (cooperative launch). The first thread of each block adds
 * 1 to a counter in global memory and waits until all blocks have done so; __syncthreads before and after it extends the barrier,
 * and the visibility of earlier writes, to all threads of the block. */
#ifndef DRIVER_GRID_CUH
#define DRIVER_GRID_CUH

#include "core/types.h"

typedef struct ls_grid {
  u32 me, all; /* the index of this thread; the number of threads */
} ls_grid;

static __device__ u32 ls_grid_arrived; /* arrivals of blocks, summed over all barriers of the launch */
static __shared__ u32 ls_grid_expected; /* the value of ls_grid_arrived that completes the block's current barrier */

static __device__ __forceinline__ void ls_grid_begin() { ls_grid_expected = 0; }
static __device__ __forceinline__ void ls_grid_end() { ls_grid_arrived = 0; }

/* Arrives at the barrier. Returns whether this thread has to wait. */
static __device__ __forceinline__ bool ls_grid_arrive(ls_grid *) {
  __syncthreads();
  if (gridDim.x == 1 || threadIdx.x != 0) return false;
  ls_grid_expected += gridDim.x;
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(&ls_grid_arrived) : "memory");
  return true;
}
/* Is the barrier still incomplete? Polls with relaxed loads: an acquiring load invalidates the L1 cache of the multiprocessor,
 * which other blocks may still be using. ls_grid_go_on acquires once. */
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
