#include "run/devices/cuda_memory.h"

#include <stdio.h>
#include <string.h>

#include "run/devices/cuda_async_copies.h"
#include "run/devices/cuda_context.h"
#include "run/devices/cuda_scalars.h"

extern "C" {
#include "core/wait.h"
#include "run/record/timeline.h"
#include "run/record/trace.h"
}
#include "data/digest.h"

ls_status ls_cuda_alloc(int device, size_t bytes, void **out) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  char what[64];
  snprintf(what, sizeof what, "%.1f MiB wanted", (double)bytes / 1048576.0);
  const size_t size = bytes ? bytes : 1;
  cudaError_t e = cudaMallocAsync(out, size, c->stream);
  if (e == cudaErrorMemoryAllocation) { /* the pool's unused memory may be fragmented: release it and try again */
    cudaMemPool_t pool;
    cudaGetLastError();
    CHECK(device, cudaStreamSynchronize(c->stream), "a stream");
    CHECK(device, cudaDeviceGetDefaultMemPool(&pool, device), "its memory pool");
    CHECK(device, cudaMemPoolTrimTo(pool, 0), "its memory pool");
    e = cudaMallocAsync(out, size, c->stream);
  }
  CHECK(device, e, what);
  return LS_OK;
}

void ls_cuda_release(int device, void *p) {
  ls_cuda_context *c;
  if (ls_cuda_contexts[device].lost) return; /* its memory is gone; keep the message of how it was lost */
  if (ls_cuda_open(device, &c) != LS_OK) return;
  if (cudaFreeAsync(p, c->stream) != cudaSuccess) cudaGetLastError();
}

static ls_status copy_and_wait(int device, void *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st || !bytes) return st;
  const bool traced = ls_trace_enabled();
  const bool paused = traced && ls_timeline_resume();
  f64 begin = ls_now();
  CHECK(device, cudaMemcpyAsync(dst, src, bytes, kind, c->stream), "a copy");
  CHECK(device, cudaStreamSynchronize(c->stream), "a copy");
  if (traced) {
    /* The copy waited for the kernel launched last. */
    const f64 end = ls_now(), kernel = ls_cuda_seconds(device, ls_cuda_report_of(c, c->ticket)->end);
    if (begin < kernel) begin = kernel < end ? kernel : end;
    ls_timeline_copy(kind == cudaMemcpyHostToDevice ? LS_LANE_TO_DEVICE : LS_LANE_TO_HOST, c->name, begin, end, bytes);
  }
  if (paused) ls_timeline_pause();
  return LS_OK;
}

/* Up to 1 KiB is copied to the device as the argument of a kernel: nothing waits, and the host may overwrite the
 * source at once. */
struct few {
  u8 byte[1024];
};
static __global__ void store_few(u8 *to, const __grid_constant__ few what, u32 bytes) {
  for (u32 i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = what.byte[i];
}

static ls_status memory_to_device(int device, void *dst, const void *src, size_t bytes) {
  few what;
  ls_cuda_context *c;
  if (!bytes || bytes > sizeof what) return copy_and_wait(device, dst, src, bytes, cudaMemcpyHostToDevice);
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  const bool traced = ls_trace_enabled();
  const bool paused = traced && ls_timeline_resume();
  const f64 begin = ls_now();
  memcpy(what.byte, src, bytes);
  store_few<<<1, 128, 0, c->stream>>>((u8 *)dst, what, (u32)bytes);
  CHECK(device, cudaGetLastError(), "a copy");
  if (traced) ls_timeline_copy(LS_LANE_TO_DEVICE, c->name, begin, ls_now(), bytes);
  if (paused) ls_timeline_pause();
  return LS_OK;
}
ls_status ls_cuda_to_host(int device, void *dst, const void *src, size_t bytes) {
  return copy_and_wait(device, dst, src, bytes, cudaMemcpyDeviceToHost);
}

static __global__ void repeat(u64 *to, u64 words, u64 bits, u32 rest) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += (u64)gridDim.x * blockDim.x) to[i] = bits;
  if (blockIdx.x == 0 && threadIdx.x < rest) ((u8 *)(to + words))[threadIdx.x] = (u8)(bits >> 8 * threadIdx.x);
}

template <class T> static __global__ void count_up(T *to, u64 count) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) to[i] = (T)i;
}

static ls_status memory_copy(int device, void *dst, const void *src, size_t bytes) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st || !bytes) return st;
  CHECK(device, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, c->stream), "a copy");
  return LS_OK;
}

/* The cell is the first counter of launches, which is zero between launches. */
extern "C" ls_status ls_cuda_ask(int device, u64 start, void **stream, unsigned long long **cell) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  *stream = c->stream;
  *cell = &c->control->counts[0];
  CHECK(device, cudaMemcpyAsync(*cell, &start, sizeof start, cudaMemcpyHostToDevice, c->stream), "a question");
  return LS_OK;
}

extern "C" ls_status ls_cuda_answer(int device, u64 *out) {
  ls_cuda_context *c = &ls_cuda_contexts[device];
  CHECK(device, cudaMemcpyAsync(out, &c->control->counts[0], sizeof *out, cudaMemcpyDeviceToHost, c->stream), "reading a result");
  CHECK(device, cudaMemsetAsync(&c->control->counts[0], 0, sizeof *out, c->stream), "reading a result");
  CHECK(device, cudaStreamSynchronize(c->stream), "reading a result");
  return LS_OK;
}

static __global__ void digest(const u8 *p, u64 words, u64 bytes, u64 item_bytes, bool set, unsigned long long *out) {
  u64 sum = 0;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += (u64)gridDim.x * blockDim.x)
    sum += set ? ls_digest_item(p, i, item_bytes) : ls_digest_word(p, i, bytes);
  for (u32 d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0 && sum) atomicAdd(out, (unsigned long long)sum);
}

static ls_status memory_digest(int device, const void *p, u64 item_bytes, u64 count, bool set, u64 *out) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  const u64 bytes = item_bytes * count, words = set ? count : (bytes + 7) / 8, blocks = words / 512 + 1;
  void *stream;
  unsigned long long *sum;
  st = ls_cuda_ask(device, 0, &stream, &sum);
  if (st) return st;
  digest<<<(u32)(blocks < 8 * c->units ? blocks : 8 * c->units), 512, 0, c->stream>>>((const u8 *)p, words, bytes,
                                                                                     item_bytes, set, sum);
  CHECK(device, cudaGetLastError(), "a digest");
  return ls_cuda_answer(device, out);
}

static ls_status memory_fill(int device, void *dst, ls_pattern p, size_t element, u64 count) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st || !count) return st;
  const u64 bytes = count * element, bits = ls_pattern_repeated(p, element), blocks = bytes / 4096 + 1;
  const u32 grid = (u32)(blocks < 16 * c->units ? blocks : 16 * c->units);
  const int byte = ls_pattern_byte(p, element);
  if (byte >= 0)
    CHECK(device, cudaMemsetAsync(dst, byte, bytes, c->stream), "filling memory");
  else if (!p.identity)
    repeat<<<grid, 512, 0, c->stream>>>((u64 *)dst, bytes / 8, bits, (u32)(bytes % 8));
  else if (element == 4)
    count_up<<<grid, 512, 0, c->stream>>>((u32 *)dst, count);
  else
    count_up<<<grid, 512, 0, c->stream>>>((u64 *)dst, count);
  CHECK(device, cudaGetLastError(), "filling memory");
  return LS_OK;
}

extern "C" ls_status ls_cuda_memory_free(int device, u64 *bytes) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  size_t free_bytes, total;
  CHECK(device, cudaStreamSynchronize(c->stream), "its free memory"); /* so that pending frees are done */
  CHECK(device, ls_cuda_unused(device, &free_bytes, &total), "its free memory");
  *bytes = free_bytes;
  return LS_OK;
}

static bool is_lost(int device) { return ls_cuda_contexts[device].lost; }

void ls_cuda_register_memory(void) {
  static const ls_memory_ops ops = {ls_cuda_alloc, ls_cuda_release, memory_to_device, ls_cuda_to_host,
                                    memory_copy, memory_fill, memory_digest, ls_cuda_move,
                                    ls_cuda_join, ls_cuda_settle, ls_cuda_pin, ls_cuda_unpin, is_lost};
  ls_buffer_memory_ops(&ops);
}
