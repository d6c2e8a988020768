#include "run/devices/cuda_context.h"

#include <stdio.h>
#include <string.h>

extern "C" {
#include "core/wait.h"
}

ls_cuda_context ls_cuda_contexts[MAX_DEVICES];

cudaError_t ls_cuda_unused(int device, size_t *bytes, size_t *total) {
  cudaMemPool_t pool;
  u64 reserved = 0, used = 0;
  cudaError_t e = cudaMemGetInfo(bytes, total);
  if (!e) e = cudaDeviceGetDefaultMemPool(&pool, device);
  if (!e) e = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
  if (!e) e = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  *bytes += reserved - used;
  return e;
}

extern "C" ls_status ls_cuda_check(int device, int error, const char *what) {
  if (error == cudaSuccess) return LS_OK;
  cudaError_t e = (cudaError_t)error;
  size_t free_bytes = 0, total = 0;
  cudaGetLastError();
  if (e == cudaErrorMemoryAllocation) {
    ls_cuda_unused(device, &free_bytes, &total);
    cudaGetLastError();
    return ls_fail(LS_EDEVICE, "cuda:%d is out of memory: %s (%.1f of %.1f MiB free)", device, what,
                   (double)free_bytes / 1048576.0, (double)total / 1048576.0);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) { /* sticky: nothing works on this device any more */
    ls_cuda_contexts[device].lost = true;
    char name[16];
    snprintf(name, sizeof name, "cuda:%d", device);
    ls_device *d = ls_device_find(name);
    if (d && !d->lost) {
      d->lost = true;
      snprintf(d->why, sizeof d->why, "%.100s: %s", what, cudaGetErrorString(e));
    }
    return ls_fail(LS_EDEVICE,
                   "cuda:%d is lost: %s: %s. Only a new process can use it again; the CPU still works, and what the host holds "
                   "is intact. To find the thread and the line, type `bounds on` before the call, or run compute-sanitizer "
                   "lockstep SCRIPT",
                   device, what, cudaGetErrorString(e));
  }
  return ls_fail(LS_EDEVICE, "cuda:%d: %s: %s", device, what, cudaGetErrorString(e));
}

static __global__ void stamp(u64 *cell) {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  *cell = t;
}

void ls_cuda_stamp(cudaStream_t stream, u64 *cell) { stamp<<<1, 1, 0, stream>>>(cell); }

ls_status ls_cuda_open(int device, ls_cuda_context **out) {
  ls_cuda_context *c = &ls_cuda_contexts[device];
  *out = c;
  if (c->lost) {
    char name[16];
    snprintf(name, sizeof name, "cuda:%d", device);
    ls_device_find(name); /* sets the message: how it was lost */
    return LS_EDEVICE;
  }
  CHECK(device, cudaSetDevice(device), "selecting the device");
  if (c->ready) return LS_OK;
  int units = 0;
  CHECK(device, cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device), "asking for its size");
  c->units = (u32)units;
  CHECK(device, cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "making a stream");
  cudaMemPool_t pool;
  u64 keep = ~0ull;
  CHECK(device, cudaDeviceGetDefaultMemPool(&pool, device), "its memory pool");
  CHECK(device, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "its memory pool");
  CHECK(device, cudaMalloc((void **)&c->control, sizeof *c->control), "its control block");
  CHECK(device, cudaMemset(c->control, 0, sizeof *c->control), "its control block");
  CHECK(device, cudaMalloc((void **)&c->ring, (LS_RING + LS_MAX_STEPS) * sizeof *c->ring), "its counter ring");
  CHECK(device, cudaHostAlloc((void **)&c->reports, LS_CUDA_REPORTS * sizeof *c->reports, cudaHostAllocMapped), "its reports");
  memset(c->reports, 0, LS_CUDA_REPORTS * sizeof *c->reports);
  CHECK(device, cudaHostGetDevicePointer((void **)&c->reports_on_device, c->reports, 0), "its reports");
  CHECK(device, cudaHostAlloc(&c->program, LS_CUDA_PROGRAM, cudaHostAllocDefault), "a loop's program");
  f64 best = 1;
  for (int i = 0; i < 5; i++) { /* the quickest round trip is the most accurate */
    f64 before = ls_now();
    ls_cuda_stamp(c->stream, &c->reports_on_device[0].begin);
    CHECK(device, cudaStreamSynchronize(c->stream), "its clock");
    f64 after = ls_now();
    if (after - before < best) {
      best = after - before;
      c->clock_offset = (before + after) / 2;
      c->clock_base = c->reports[0].begin;
    }
  }
  snprintf(c->name, sizeof c->name, "cuda:%d", device);
  c->ready = true;
  return LS_OK;
}
