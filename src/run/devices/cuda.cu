/* CUDA devices: launches, persistent loops, and waiting for them.
 *
 * One stream per device, and another one for an exchange that overlaps with kernels. A launch reports its
 * results through mapped host memory (ls_cuda_report), which the host polls while it serves ls_idle. A sticky
 * error marks the device lost. */
#include "run/devices/cuda.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/devices/cuda_check.h"
#include "run/devices/cuda_context.h"
#include "run/devices/cuda_memory.h"

extern "C" {
#include "core/wait.h"
#include "run/record/trace.h"
}

extern "C" int ls_cuda_devices(ls_device *out, int max) {
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
  if (count) ls_cuda_register_memory();
  return count;
}

/* --- launches ------------------------------------------------------------------------------------------------ */

static bool is_done(ls_cuda_context *c, u64 ticket) {
  return *(volatile u64 *)&ls_cuda_report_of(c, ticket)->done >= ticket;
}

extern "C" f64 ls_cuda_seconds(int device, u64 ns) {
  const ls_cuda_context *c = &ls_cuda_contexts[device];
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
static void end_if_wanted(ls_cuda_context *c) {
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

extern "C" void ls_cuda_stop_at(int device, void *word) { ls_cuda_contexts[device].stop = word; }

/* Polls the report: without pauses at first, later with pauses. what: the launch's name for error
 * messages. */
static ls_status wait_for(int device, ls_cuda_context *c, u64 ticket, const char *what) {
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
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(L->device, &c);
  if (st) return st;
  /* If the last launch failed before it was submitted, mark its report done, as the device will not. */
  if (c->open) ls_cuda_report_of(c, c->open)->done = c->open;
  /* The trace reads the reports before their slots are reused. */
  if ((c->ticket + 1) % (LS_CUDA_REPORTS / 2) == 0) ls_trace_last();
  u64 ticket = c->open = ++c->ticket;
  if (ticket > LS_CUDA_REPORTS && !is_done(c, ticket - LS_CUDA_REPORTS)) st = wait_for(L->device, c, ticket - LS_CUDA_REPORTS, "a kernel");
  out->control = c->control;
  out->report = &c->reports_on_device[ticket % LS_CUDA_REPORTS];
  out->ticket = L->ticket = ticket;
  out->units = c->units;
  out->before = NULL;
  out->bytes = 0;
  out->by = NULL;
  return st;
}

static ls_status empty_queues(ls_launch *L, ls_cuda_context *c, const ls_bind *b) {
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
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
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
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
  ls_status st = wait_for(L->device, c, ticket, L->prim->name);
  if (st) return st;
  const ls_cuda_report *r = ls_cuda_report_of(c, ticket);
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
  return ls_fail(LS_EARG, "%s: 'block' is %u, expected at most %u, the number of threads in its SHAPE", L->prim->name, *threads,
                 most);
}

/* Converts the sums of a launch's steps to ring entries; their times follow one another, beginning with the start of
 * the launch. */
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
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
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
  const ls_cuda_report *r = ls_cuda_report_of(c, launch.ticket);
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
  ls_cuda_context *c;
  return ls_cuda_open(device, &c);
}

extern "C" ls_status ls_cuda_stream(int device, void **stream) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (!st) *stream = c->stream;
  return st;
}

extern "C" ls_status ls_cuda_put_program(ls_launch *L, const void *program, size_t bytes, void *there) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(L->device, &c);
  if (st) return st;
  memcpy(c->program, program, bytes); /* it is free: the last loop has been waited for */
  CHECK(L->device, cudaMemcpyAsync(there, c->program, bytes, cudaMemcpyHostToDevice, c->stream), "a loop's program");
  return LS_OK;
}

extern "C" ls_status ls_cuda_read_ring(int device, ls_ring_entry *out) {
  ls_cuda_context *c = &ls_cuda_contexts[device];
  const u32 used = c->ring_used;
  c->ring_used = 0;
  return used ? ls_cuda_to_host(device, out, c->ring, used * sizeof *out) : LS_OK;
}
extern "C" bool ls_cuda_ring_is_short(int device) { return ls_cuda_contexts[device].ring_used > LS_RING / 2; }

/* --- libraries ------------------------------------------------------------------------------------------------- */

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

extern "C" ls_status ls_cuda_fork(int device) {
  ls_cuda_context *c;
  ls_status st = ls_cuda_open(device, &c);
  if (st) return st;
  if (!c->exchanges) {
    int least, most; /* high priority: blocks of exchanges replace kernel blocks that end */
    CHECK(device, cudaDeviceGetStreamPriorityRange(&least, &most), "a stream for exchanges");
    CHECK(device, cudaEventCreateWithFlags(&c->forked, cudaEventDisableTiming), "an event");
    CHECK(device, cudaStreamCreateWithPriority(&c->exchanges, cudaStreamNonBlocking, most), "a stream for exchanges");
  }
  CHECK(device, cudaEventRecord(c->forked, c->stream), "an event");
  return LS_OK;
}

/* On the exchange's thread: waits for the work that was queued before the exchange. */
static ls_status begin_beside(ls_launch *L, ls_cuda_context *c, void **stream, unsigned long long **counts) {
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
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
  if (L->beside) return begin_beside(L, c, stream, counts);
  ls_status st = ls_cuda_begin(L, &c->library);
  if (st) return st;
  L->first = is_first(L);
  ls_cuda_stamp(c->stream, &c->library.report->begin);
  *stream = c->stream;
  *counts = c->control->counts;
  return LS_OK;
}

extern "C" ls_status ls_cuda_library_end(ls_launch *L, ls_status st) {
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
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
  ls_cuda_context *c = &ls_cuda_contexts[L->device];
  ls_cuda_context::Room *room = &c->scratch[L->beside];
  if (bytes > room->bytes) {
    if (room->at) ls_cuda_release(L->device, room->at);
    *room = {};
    ls_status st = ls_cuda_alloc(L->device, bytes, &room->at);
    if (st) return st;
    if (L->beside) CHECK(L->device, cudaStreamSynchronize(c->stream), "scratch memory"); /* used on another stream */
    room->bytes = bytes;
  }
  *out = room->at;
  return LS_OK;
}

extern "C" ls_status ls_cuda_staging(ls_launch *L, size_t bytes, void **out) {
  ls_cuda_context::Room *room = &ls_cuda_contexts[L->device].staging[L->beside];
  if (bytes > room->bytes) {
    if (room->at) cudaFreeHost(room->at);
    *room = {};
    CHECK(L->device, cudaHostAlloc(&room->at, bytes, cudaHostAllocDefault), "host memory for copies");
    room->bytes = bytes;
  }
  *out = room->at;
  return LS_OK;
}

extern "C" void ls_cuda_staging_give_away(int device, bool beside) { ls_cuda_contexts[device].staging[beside] = {}; }
