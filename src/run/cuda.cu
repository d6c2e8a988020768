/* CUDA devices: memory, launches, persistent loops, and waiting for them.
 *
 * One stream per device, and another one for an exchange that overlaps with kernels. A launch reports its
 * results through mapped host memory (ls_cuda_report), which the host polls while it serves ls_idle. A sticky
 * error marks the device lost. */
#include "run/cuda.h"
#include "run/cuda_scalars.h"
#include "run/cuda_check.h"
#include "run/cuda_async_copies.h"
#include "run/cuda_kept.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern "C" {
#include "core/wait.h"
#include "data/buffer.h"
#include "run/timeline.h"
#include "run/trace.h"
}
#include "data/digest.h"

enum { REPORTS = 1024, PROGRAM_BYTES = 1 << 16 };

struct Context {
  bool ready;
  char name[16];
  cudaStream_t stream;
  ls_cuda_control *control;
  ls_ring_entry *ring;
  ls_cuda_report *reports, *reports_on_device;
  u64 most_kept; /* bytes of freed memory that stay mapped (run/cuda_kept.h): a fourth of the device's */
  u64 ticket; /* of the newest launch */
  u64 open;   /* of a launch that has not been submitted yet; 0: none */
  u32 generation, units, ring_used;
  /* The clocks are compared once: clock_base is the device's clock (ns since 1970), clock_offset is ls_now() at
   * that time. A difference of nanoseconds fits a double, a time since 1970 does not. */
  u64 clock_base;
  f64 clock_offset;
  struct Room {
    void *at;
    size_t bytes;
  } scratch[2], staging[2]; /* [1]: for an exchange that overlaps with kernels; staging is on the host */
  cudaStream_t exchanges;   /* stream of such exchanges */
  cudaEvent_t forked;       /* recorded after the work that was queued before the newest such exchange */
  void *program; /* a loop's program, at most PROGRAM_BYTES, while it is copied to the device */
  ls_cuda_launch library;
  bool lost;
  void *stop; /* device word that ends the launch in flight; NULL: it ends by itself */
  cudaStream_t beside; /* stream for writing that word */
};
static Context contexts[MAX_DEVICES];

static ls_cuda_report *report_of(Context *c, u64 ticket) { return &c->reports[ticket % REPORTS]; }

/* Bytes available to an allocation on the current device: free ones, and those that its pool or this program keeps unused. */
static cudaError_t free_memory(int device, size_t *bytes, size_t *total) {
  cudaMemPool_t pool;
  u64 reserved = 0, used = 0;
  cudaError_t e = cudaMemGetInfo(bytes, total);
  if (!e) e = cudaDeviceGetDefaultMemPool(&pool, device);
  if (!e) e = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
  if (!e) e = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  *bytes += reserved - used + ls_cuda_kept_bytes(device);
  return e;
}

extern "C" ls_status ls_cuda_check(int device, int error, const char *what) {
  if (error == cudaSuccess) return LS_OK;
  cudaError_t e = (cudaError_t)error;
  size_t free_bytes = 0, total = 0;
  cudaGetLastError();
  if (e == cudaErrorMemoryAllocation) {
    free_memory(device, &free_bytes, &total);
    cudaGetLastError();
    return ls_fail(LS_EDEVICE, "cuda:%d is out of memory: %s (%.1f of %.1f MiB free)", device, what,
                   (double)free_bytes / 1048576.0, (double)total / 1048576.0);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) { /* sticky: nothing works on this device any more */
    contexts[device].lost = true;
    char name[16];
    snprintf(name, sizeof name, "cuda:%d", device);
    ls_device *d = ls_device_find(name);
    if (d && !d->lost) {
      d->lost = true;
      snprintf(d->why, sizeof d->why, "%.100s: %s", what, cudaGetErrorString(e));
    }
    return ls_fail(LS_EDEVICE,
                   "cuda:%d is lost: %s: %s. Its driver gives it back to a new process only; the CPU and what the host holds are "
                   "still there. Which thread and line it was: `bounds on` before it, or compute-sanitizer lockstep SCRIPT",
                   device, what, cudaGetErrorString(e));
  }
  return ls_fail(LS_EDEVICE, "cuda:%d: %s: %s", device, what, cudaGetErrorString(e));
}

static __global__ void stamp(u64 *cell) {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  *cell = t;
}

/* Ends a LIBRARY row: reports its counters, and resets them to zero for the next launch. */
static __global__ void report_end(ls_cuda_report *report, u64 ticket, unsigned long long *counts) {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  report->end = t;
  report->items = 0;
  report->full[0] = 0;
  for (int k = 0; k < LS_MAX_COUNTS; k++) report->counts[k] = counts[k], counts[k] = 0;
  __threadfence_system();
  *(volatile u64 *)&report->done = ticket;
}

static ls_status use(int device, Context **out) {
  Context *c = &contexts[device];
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
  size_t unused = 0, total = 0;
  CHECK(device, cudaMemGetInfo(&unused, &total), "its memory");
  c->most_kept = total / 4;
  CHECK(device, cudaMalloc((void **)&c->control, sizeof *c->control), "its control block");
  CHECK(device, cudaMemset(c->control, 0, sizeof *c->control), "its control block");
  CHECK(device, cudaMalloc((void **)&c->ring, (LS_RING + LS_MAX_STEPS) * sizeof *c->ring), "its counter ring");
  CHECK(device, cudaHostAlloc((void **)&c->reports, REPORTS * sizeof *c->reports, cudaHostAllocMapped), "its reports");
  memset(c->reports, 0, REPORTS * sizeof *c->reports);
  CHECK(device, cudaHostGetDevicePointer((void **)&c->reports_on_device, c->reports, 0), "its reports");
  CHECK(device, cudaHostAlloc(&c->program, PROGRAM_BYTES, cudaHostAllocDefault), "a loop's program");
  f64 best = 1;
  for (int i = 0; i < 5; i++) { /* the quickest round trip is the most accurate */
    f64 before = ls_now();
    stamp<<<1, 1, 0, c->stream>>>(&c->reports_on_device[0].begin);
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

/* --- memory ------------------------------------------------------------------------------------------------ */

/* Frees kept memory, the oldest first, until no more than `most` bytes are kept. */
static void free_kept(Context *c, int device, u64 most) {
  void *p;
  while (ls_cuda_kept_bytes(device) > most && (p = ls_cuda_kept_drop(device)))
    if (cudaFreeAsync(p, c->stream) != cudaSuccess) cudaGetLastError();
}

static ls_status memory_alloc(int device, size_t bytes, void **out) {
  Context *c;
  ls_status st = use(device, &c);
  if (st) return st;
  char what[64];
  snprintf(what, sizeof what, "%.1f MiB wanted", (double)bytes / 1048576.0);
  const size_t size = ls_cuda_kept_size(bytes ? bytes : 1);
  if ((*out = ls_cuda_kept_take(device, size))) return LS_OK;
  cudaError_t e = cudaMallocAsync(out, size, c->stream);
  if (e == cudaErrorMemoryAllocation) { /* unused memory may be kept, or the pool's may be fragmented: release it and try again */
    cudaMemPool_t pool;
    cudaGetLastError();
    free_kept(c, device, 0);
    CHECK(device, cudaStreamSynchronize(c->stream), "a stream");
    CHECK(device, cudaDeviceGetDefaultMemPool(&pool, device), "its memory pool");
    CHECK(device, cudaMemPoolTrimTo(pool, 0), "its memory pool");
    e = cudaMallocAsync(out, size, c->stream);
  }
  CHECK(device, e, what);
  ls_cuda_kept_note(device, *out, size);
  return LS_OK;
}

static void memory_free(int device, void *p) {
  Context *c;
  if (contexts[device].lost) return; /* its memory is gone; keep the message of how it was lost */
  if (use(device, &c) != LS_OK) return;
  if (!ls_cuda_kept_give(device, p)) {
    if (cudaFreeAsync(p, c->stream) != cudaSuccess) cudaGetLastError();
  } else if (ls_cuda_kept_bytes(device) > c->most_kept) {
    free_kept(c, device, c->most_kept / 2);
  }
}

static ls_status copy_and_wait(int device, void *dst, const void *src, size_t bytes, cudaMemcpyKind kind) {
  Context *c;
  ls_status st = use(device, &c);
  if (st || !bytes) return st;
  const bool traced = ls_trace_enabled();
  const bool paused = traced && ls_timeline_resume();
  f64 begin = ls_now();
  CHECK(device, cudaMemcpyAsync(dst, src, bytes, kind, c->stream), "a copy");
  CHECK(device, cudaStreamSynchronize(c->stream), "a copy");
  if (traced) {
    /* The copy waited for the kernel launched last. */
    const f64 end = ls_now(), kernel = ls_cuda_seconds(device, report_of(c, c->ticket)->end);
    if (begin < kernel) begin = kernel < end ? kernel : end;
    ls_timeline_copy(kind == cudaMemcpyHostToDevice ? LS_LANE_TO_DEVICE : LS_LANE_TO_HOST, c->name, begin, end, bytes);
  }
  if (paused) ls_timeline_pause();
  return LS_OK;
}

/* Up to 1 KiB is passed as the argument of a kernel: nothing waits, and the host may overwrite its bytes at
 * once. */
struct few {
  u8 byte[1024];
};
static __global__ void store_few(u8 *to, const __grid_constant__ few what, u32 bytes) {
  for (u32 i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = what.byte[i];
}

static ls_status memory_to_device(int device, void *dst, const void *src, size_t bytes) {
  few what;
  Context *c;
  if (!bytes || bytes > sizeof what) return copy_and_wait(device, dst, src, bytes, cudaMemcpyHostToDevice);
  ls_status st = use(device, &c);
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
static ls_status memory_to_host(int device, void *dst, const void *src, size_t bytes) {
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
  Context *c;
  ls_status st = use(device, &c);
  if (st || !bytes) return st;
  CHECK(device, cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, c->stream), "a copy");
  return LS_OK;
}

/* The cell is the first counter of launches, which is zero between launches. */
extern "C" ls_status ls_cuda_ask(int device, u64 start, void **stream, unsigned long long **cell) {
  Context *c;
  ls_status st = use(device, &c);
  if (st) return st;
  *stream = c->stream;
  *cell = &c->control->counts[0];
  CHECK(device, cudaMemcpyAsync(*cell, &start, sizeof start, cudaMemcpyHostToDevice, c->stream), "a question");
  return LS_OK;
}

extern "C" ls_status ls_cuda_answer(int device, u64 *out) {
  Context *c = &contexts[device];
  CHECK(device, cudaMemcpyAsync(out, &c->control->counts[0], sizeof *out, cudaMemcpyDeviceToHost, c->stream), "an answer");
  CHECK(device, cudaMemsetAsync(&c->control->counts[0], 0, sizeof *out, c->stream), "an answer");
  CHECK(device, cudaStreamSynchronize(c->stream), "an answer");
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
  Context *c;
  ls_status st = use(device, &c);
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
  Context *c;
  ls_status st = use(device, &c);
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
  Context *c;
  ls_status st = use(device, &c);
  if (st) return st;
  size_t free_bytes, total;
  CHECK(device, cudaStreamSynchronize(c->stream), "its free memory"); /* so that pending frees are done */
  CHECK(device, free_memory(device, &free_bytes, &total), "its free memory");
  *bytes = free_bytes;
  return LS_OK;
}

static bool is_lost(int device) { return contexts[device].lost; }

extern "C" int ls_cuda_devices(ls_device *out, int max) {
  static const ls_memory_ops ops = {memory_alloc, memory_free, memory_to_device, memory_to_host,
                                    memory_copy, memory_fill, memory_digest, ls_cuda_move,
                                    ls_cuda_join, ls_cuda_settle, ls_cuda_pin, ls_cuda_unpin, is_lost};
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  if (count > MAX_DEVICES) count = MAX_DEVICES;
  if (count > max) count = max;
  for (int i = 0; i < count; i++) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) return i;
    ls_device *d = &out[i];
    memset(d, 0, sizeof *d);
    d->processor = LS_CUDA;
    d->index = i;
    d->threads = p.multiProcessorCount * p.maxThreadsPerMultiProcessor;
    snprintf(d->name, sizeof d->name, "cuda:%d", i);
    snprintf(d->model, sizeof d->model, "%.95s", p.name);
    d->memory = p.totalGlobalMem;
    d->cache = (u64)p.l2CacheSize;
    d->units = p.multiProcessorCount;
    d->capability = p.major * 10 + p.minor;
  }
  if (count) ls_buffer_memory_ops(&ops);
  return count;
}

/* --- launches ------------------------------------------------------------------------------------------------ */

static bool is_done(Context *c, u64 ticket) {
  return *(volatile u64 *)&report_of(c, ticket)->done >= ticket;
}

extern "C" f64 ls_cuda_seconds(int device, u64 ns) {
  const Context *c = &contexts[device];
  return c->clock_offset + 1e-9 * (f64)(i64)(ns - c->clock_base);
}

static bool waiting;

extern "C" bool ls_cuda_is_waiting(void) { return waiting; }

extern "C" void ls_cuda_idle(void) {
  if (waiting || ls_on_worker()) return;
  waiting = true;
  ls_idle();
  waiting = false;
}

/* Ends a launch that still runs 0.3 s after Ctrl-C; until then, Ctrl-C may have been meant for the algorithm
 * only. */
static void end_if_wanted(Context *c) {
  static f64 since;
  static u32 *one; /* pinned, so that the copy is asynchronous */
  if (!c->stop || !ls_interrupted()) {
    since = 0;
    return;
  }
  const f64 now = ls_now();
  if (since == 0) since = now;
  if (now - since < 0.3) return;
  if (!c->beside && cudaStreamCreateWithFlags(&c->beside, cudaStreamNonBlocking) != cudaSuccess) return;
  if (!one && cudaHostAlloc((void **)&one, sizeof *one, cudaHostAllocDefault) != cudaSuccess) return;
  *one = 1;
  if (cudaMemcpyAsync(c->stop, one, sizeof *one, cudaMemcpyHostToDevice, c->beside) == cudaSuccess) c->stop = NULL;
}

extern "C" void ls_cuda_stop_at(int device, void *word) { contexts[device].stop = word; }

/* Polls the report: without pauses at first, later with pauses. what: the launch's name for error
 * messages. */
static ls_status wait_for(int device, Context *c, u64 ticket, const char *what) {
  ls_looks looks = {0, 0};
  for (u64 spins = 0; !is_done(c, ticket); spins++) {
    if (spins % 4096 != 4095) continue;
    cudaError_t e = cudaStreamQuery(c->stream);
    if (e != cudaSuccess && e != cudaErrorNotReady) return ls_cuda_check(device, e, what);
    if (ls_look_again(&looks)) end_if_wanted(c);
  }
  __sync_synchronize();
  c->stop = NULL;
  return LS_OK;
}

extern "C" ls_status ls_cuda_begin(ls_launch *L, ls_cuda_launch *out) {
  Context *c;
  ls_status st = use(L->device, &c);
  if (st) return st;
  /* If the last launch failed before it was submitted, mark its report done, as the device will not. */
  if (c->open) report_of(c, c->open)->done = c->open;
  /* The trace reads the reports before their slots are reused. */
  if ((c->ticket + 1) % (REPORTS / 2) == 0) ls_trace_last();
  u64 ticket = c->open = ++c->ticket;
  if (ticket > REPORTS && !is_done(c, ticket - REPORTS)) st = wait_for(L->device, c, ticket - REPORTS, "a kernel");
  out->control = c->control;
  out->report = &c->reports_on_device[ticket % REPORTS];
  out->ticket = L->ticket = ticket;
  out->units = c->units;
  out->before = NULL;
  out->bytes = 0;
  out->by = NULL;
  return st;
}

static ls_status empty_queues(ls_launch *L, Context *c, const ls_bind *b) {
  for (u32 q = 0; q < b->filled; q++)
    if (b->emptied[q]) CHECK(L->device, cudaMemsetAsync(b->queue[q], 0, b->width[q], c->stream), "emptying a queue");
  return LS_OK;
}

/* Allows a kernel `bytes` of dynamic shared memory per block; more than 48 KiB must be requested in
 * advance. */
static ls_status allow_bytes(const ls_launch *L, const void *kernel, u32 bytes) {
  int most = 0;
  if (!bytes) return LS_OK;
  CHECK(L->device, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, L->device), "asking for its shared memory");
  if (bytes > (u32)most)
    return ls_fail(LS_EARG, "%s: a block needs %u bytes of shared memory, and on cuda:%d it can have %d", L->prim->name, bytes,
                   L->device, most);
  CHECK(L->device, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), L->prim->name);
  return LS_OK;
}

/* Is this the row's first launch with this type on this device? The host loads a kernel's code at its first
 * launch. For a LIBRARY row, which launches kernels between the two time stamps, the time includes that
 * loading. */
static bool is_first(const ls_launch *L) {
  enum { PLACES = 1024 };
  static struct {
    const ls_prim *prim;
    u32 types[MAX_DEVICES];
  } seen[PLACES];
  u32 at = (u32)((u64)(uintptr_t)L->prim * 0x9e3779b97f4a7c15ull >> 54) % PLACES, looks = 0;
  while (seen[at].prim && seen[at].prim != L->prim && looks++ < PLACES) at = (at + 1) % PLACES;
  if (looks > PLACES) return false;
  seen[at].prim = L->prim;
  const bool first = !(seen[at].types[L->device] >> L->type & 1);
  seen[at].types[L->device] |= 1u << L->type;
  return first;
}

extern "C" ls_status ls_cuda_submit(ls_launch *L, ls_cuda_launch *launch, const void *kernel, u32 blocks, u32 threads,
                                    void **params) {
  Context *c = &contexts[L->device];
  ls_status st = empty_queues(L, c, &L->bind);
  if (st) return st;
  if (launch->by) {
    int error = launch->before ? launch->by(launch->before, launch->before_blocks, threads, 0, c->stream, params) : 0;
    if (!error) error = launch->by(kernel, blocks, threads, launch->bytes, c->stream, params);
    CHECK(L->device, error, L->prim->name);
    c->open = 0;
    return LS_OK;
  }
  if (launch->before && is_first(L)) { /* load the second kernel's code before the first starts */
    cudaFuncAttributes unused;
    CHECK(L->device, cudaFuncGetAttributes(&unused, kernel), L->prim->name);
  }
  if (launch->before)
    CHECK(L->device,
          cudaLaunchKernel(launch->before, dim3(launch->before_blocks), dim3(threads), params, 0, c->stream), L->prim->name);
  st = allow_bytes(L, kernel, launch->bytes);
  if (st) return st;
  CHECK(L->device, cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), params, launch->bytes, c->stream), L->prim->name);
  c->open = 0;
  return LS_OK;
}

extern "C" ls_status ls_cuda_wait(ls_launch *L, u64 ticket, f64 *begin, f64 *end, u64 *items) {
  Context *c = &contexts[L->device];
  ls_status st = wait_for(L->device, c, ticket, L->prim->name);
  if (st) return st;
  const ls_cuda_report *r = report_of(c, ticket);
  memcpy(L->counts, r->counts, sizeof L->counts);
  *begin = ls_cuda_seconds(L->device, r->begin);
  *end = ls_cuda_seconds(L->device, r->end);
  *items = r->items;
  L->full = r->full[0];
  return LS_OK;
}

extern "C" ls_status ls_cuda_block(const ls_launch *L, u32 most, u32 *threads) {
  *threads = L->block && !(L->loop && L->block > most) ? L->block : most;
  if (*threads <= most) return LS_OK;
  return ls_fail(LS_EARG, "%s: block is %u, but its SHAPE has %u threads", L->prim->name, *threads, most);
}

/* Makes ring entries of the sums of a launch's steps; their times follow one another from the launch's begin
 * on. */
static void take_sums(ls_launch *L, const ls_cuda_report *r) {
  u64 now = (u64)(1e9 * ls_cuda_seconds(L->device, r->begin));
  for (u32 s = 0; s < (u32)L->loop->nsteps; s++) {
    ls_ring_entry *e = &L->ring[s];
    e->step = (u16)s;
    e->first = 0;
    e->iteration = L->at.iterations + 1;
    e->items = r->sums[s].items;
    e->begin = now;
    e->end = now += r->sums[s].time;
    memcpy(e->counts, r->loop_counts[s], sizeof e->counts);
    L->turns[s] = (u32)r->sums[s].turns;
  }
}

extern "C" ls_status ls_cuda_run_loop(ls_launch *L, const void *kernel, u32 most_threads, u32 most_resident, u32 bytes,
                                      u32 *resident_by_warps, void *params) {
  ls_cuda_launch launch;
  u32 threads;
  ls_status st = ls_cuda_block(L, most_threads, &threads);
  if (!st) st = ls_cuda_begin(L, &launch);
  if (!st) st = allow_bytes(L, kernel, bytes);
  if (st) return st;
  u32 *resident = &resident_by_warps[threads / 32 - 1];
  most_resident *= most_threads / threads;
  Context *c = &contexts[L->device];
  ls_loop_launch loop;
  memset(&loop, 0, sizeof loop);
  loop.control = c->control;
  loop.report = launch.report;
  loop.ring = c->ring + c->ring_used;
  loop.ring_room = LS_RING - c->ring_used;
  L->ring_at = c->ring_used;
  loop.ticket = launch.ticket;
  loop.max_ns = (u64)(1e9 * L->max_seconds);
  loop.generation = c->generation;
  loop.nsteps = (u32)L->loop->nsteps;
  loop.traced = L->traced;
  loop.summed = L->traced && L->summed;
  loop.at = L->at;
  memcpy(loop.var, L->var, sizeof loop.var);
  const ls_op first = L->loop->code.op[L->at.op]; /* the queues of later steps are emptied before those steps */
  for (int s = first.at; s <= first.at + (first.to != 0); s++) {
    ls_bind bind;
    ls_bind_step(L, s, L->at.swaps, &bind);
    st = empty_queues(L, c, &bind);
    if (st) return st;
  }
  if (*resident == 0) {
    int fit = 0;
    CHECK(L->device, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)threads, bytes), "its occupancy");
    *resident = fit < 1 ? 1 : (u32)fit < most_resident ? (u32)fit : most_resident;
  }
  u32 least = 1; /* parallel steps run on different blocks */
  for (const ls_op *o = L->loop->code.op; o->kind != LS_OP_END; o++)
    if (o->kind == LS_OP_STEP && o->to) least = 2;
  const u64 all = (u64)c->units * *resident, most = all < LS_LOOP_BLOCKS ? all : LS_LOOP_BLOCKS, wanted = (L->items + threads - 1) / threads;
  u32 blocks = (u32)(wanted < least ? least : wanted > most ? most : wanted);
  void *arguments[] = {params, &loop};
  CHECK(L->device, cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments + !params, bytes, c->stream),
        L->prim->name);
  c->open = 0;
  st = wait_for(L->device, c, launch.ticket, L->prim->name);
  if (st) return st;
  const ls_cuda_report *r = report_of(c, launch.ticket);
  c->generation = r->generation;
  if (loop.summed) take_sums(L, r);
  L->at = r->at;
  memcpy(L->var, r->var, sizeof L->var);
  L->ring_used = r->ring_used;
  memcpy(L->loop_counts, r->loop_counts, sizeof L->loop_counts);
  memset(L->loop_full, 0, sizeof L->loop_full);
  if (r->any_full) memcpy(L->loop_full, r->full, sizeof L->loop_full);
  L->ring_begin = r->begin;
  if (!loop.summed) c->ring_used += r->ring_used;
  return LS_OK;
}

extern "C" ls_status ls_cuda_use(int device) {
  Context *c;
  return use(device, &c);
}

extern "C" ls_status ls_cuda_stream(int device, void **stream) {
  Context *c;
  ls_status st = use(device, &c);
  if (!st) *stream = c->stream;
  return st;
}

extern "C" ls_status ls_cuda_put_program(ls_launch *L, const void *program, size_t bytes, void *there) {
  Context *c;
  ls_status st = use(L->device, &c);
  if (st) return st;
  memcpy(c->program, program, bytes); /* it is free: the last loop has been waited for */
  CHECK(L->device, cudaMemcpyAsync(there, c->program, bytes, cudaMemcpyHostToDevice, c->stream), "a loop's program");
  return LS_OK;
}

extern "C" ls_status ls_cuda_read_ring(int device, ls_ring_entry *out) {
  Context *c = &contexts[device];
  const u32 used = c->ring_used;
  c->ring_used = 0;
  return used ? copy_and_wait(device, out, c->ring, used * sizeof *out, cudaMemcpyDeviceToHost) : LS_OK;
}
extern "C" bool ls_cuda_ring_is_short(int device) { return contexts[device].ring_used > LS_RING / 2; }

/* --- libraries ------------------------------------------------------------------------------------------------- */

extern "C" ls_status ls_cuda_fork(int device) {
  Context *c;
  ls_status st = use(device, &c);
  if (st) return st;
  if (!c->exchanges) {
    int least, most; /* high priority: as blocks of kernels end, its blocks take their place */
    CHECK(device, cudaDeviceGetStreamPriorityRange(&least, &most), "a stream for exchanges");
    CHECK(device, cudaEventCreateWithFlags(&c->forked, cudaEventDisableTiming), "an event");
    CHECK(device, cudaStreamCreateWithPriority(&c->exchanges, cudaStreamNonBlocking, most), "a stream for exchanges");
  }
  CHECK(device, cudaEventRecord(c->forked, c->stream), "an event");
  return LS_OK;
}

/* On the exchange's thread: waits for the work that was queued before the exchange. */
static ls_status begin_beside(ls_launch *L, Context *c, void **stream, unsigned long long **counts) {
  CHECK(L->device, cudaSetDevice(L->device), "selecting the device"); /* a setting of each thread */
  for (cudaError_t e; (e = cudaEventQuery(c->forked)) != cudaSuccess; usleep(20)) {
    if (e != cudaErrorNotReady) return ls_cuda_check(L->device, e, L->prim->name);
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", L->prim->name);
  }
  L->begun = ls_now();
  *stream = c->exchanges;
  *counts = NULL; /* exchanges count nothing */
  return LS_OK;
}

extern "C" ls_status ls_cuda_library_begin(ls_launch *L, void **stream, unsigned long long **counts) {
  Context *c = &contexts[L->device];
  if (L->beside) return begin_beside(L, c, stream, counts);
  ls_status st = ls_cuda_begin(L, &c->library);
  if (st) return st;
  L->first = is_first(L);
  stamp<<<1, 1, 0, c->stream>>>(&c->library.report->begin);
  *stream = c->stream;
  *counts = c->control->counts;
  return LS_OK;
}

extern "C" ls_status ls_cuda_library_end(ls_launch *L, ls_status st) {
  Context *c = &contexts[L->device];
  if (L->beside) { /* so that work queued from now on comes after the exchange */
    if (!st) CHECK(L->device, cudaStreamSynchronize(c->exchanges), L->prim->name);
    return st;
  }
  if (st) {
    if (!c->lost && cudaMemsetAsync(c->control->counts, 0, sizeof c->control->counts, c->stream)) cudaGetLastError();
    return st;
  }
  report_end<<<1, 1, 0, c->stream>>>(c->library.report, c->library.ticket, c->control->counts);
  CHECK(L->device, cudaGetLastError(), L->prim->name);
  c->open = 0;
  return LS_OK;
}

extern "C" ls_status ls_cuda_scratch(ls_launch *L, size_t bytes, void **out) {
  Context *c = &contexts[L->device];
  Context::Room *room = &c->scratch[L->beside];
  if (bytes > room->bytes) {
    if (room->at) memory_free(L->device, room->at);
    *room = {};
    ls_status st = memory_alloc(L->device, bytes, &room->at);
    if (st) return st;
    if (L->beside) CHECK(L->device, cudaStreamSynchronize(c->stream), "scratch memory"); /* used on another stream */
    room->bytes = bytes;
  }
  *out = room->at;
  return LS_OK;
}

extern "C" ls_status ls_cuda_staging(ls_launch *L, size_t bytes, void **out) {
  Context::Room *room = &contexts[L->device].staging[L->beside];
  if (bytes > room->bytes) {
    if (room->at) cudaFreeHost(room->at);
    *room = {};
    CHECK(L->device, cudaHostAlloc(&room->at, bytes, cudaHostAllocDefault), "host memory for copies");
    room->bytes = bytes;
  }
  *out = room->at;
  return LS_OK;
}

extern "C" void ls_cuda_staging_give_away(int device, bool beside) { contexts[device].staging[beside] = {}; }
