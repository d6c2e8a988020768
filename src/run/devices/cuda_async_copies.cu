#include "run/devices/cuda_async_copies.h"

#include <cuda_runtime.h>
#include <stdio.h>

#include "run/devices/cuda_check.h"

extern "C" {
#include "run/record/timeline.h"
#include "run/record/trace.h"
}

/* Moves have their own stream per device. A move first waits for the work queued on the device's main stream (event
 * `after`); work that uses the moved data waits for its event `end`. */
enum { OPEN = 16 }; /* maximum number of moves in flight */

struct Move {
  cudaEvent_t after, begin, end;
  bool traced;
  bool to_device;
  u64 bytes;
};

struct Mover {
  cudaStream_t stream;
  char name[16];
  cudaEvent_t base; /* recorded when ls_now() was `based` */
  f64 based;
  Move moves[OPEN];
  u64 begun, done; /* numbers of moves */
};
static Mover movers[MAX_DEVICES];

static ls_status start(int device, Mover *m) {
  if (m->stream) return LS_OK;
  snprintf(m->name, sizeof m->name, "cuda:%d", device);
  CHECK(device, cudaEventCreate(&m->base), "an event");
  for (Move &x : m->moves) {
    CHECK(device, cudaEventCreateWithFlags(&x.after, cudaEventDisableTiming), "an event");
    CHECK(device, cudaEventCreate(&x.begin), "an event");
    CHECK(device, cudaEventCreate(&x.end), "an event");
  }
  CHECK(device, cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking), "a stream for moves");
  return LS_OK;
}

/* Adds a finished move to the timeline. */
static void note(const Mover *m, const Move *x) {
  f32 begin, end; /* milliseconds after base */
  if (!x->traced || cudaEventElapsedTime(&begin, m->base, x->begin) || cudaEventElapsedTime(&end, m->base, x->end)) {
    cudaGetLastError();
    return;
  }
  ls_timeline_copy(x->to_device ? LS_LANE_TO_DEVICE : LS_LANE_TO_HOST, m->name, m->based + 1e-3 * (f64)begin,
                   m->based + 1e-3 * (f64)end, x->bytes);
}

ls_status ls_cuda_settle(int device, u64 ticket) {
  Mover *m = &movers[device];
  ls_status st = ls_cuda_use(device);
  if (st) return st;
  ls_looks looks = {0, 0};
  while (m->done < ticket) {
    const Move *x = &m->moves[(m->done + 1) % OPEN];
    const cudaError_t e = cudaEventQuery(x->end);
    if (e == cudaSuccess) {
      m->done++;
      note(m, x);
      continue;
    }
    if (e != cudaErrorNotReady) CHECK(device, e, "a copy");
    ls_look_again(&looks);
  }
  return LS_OK;
}

ls_status ls_cuda_join(int device, u64 ticket) {
  void *stream;
  ls_status st = ls_cuda_stream(device, &stream);
  if (st) return st;
  if (ticket + OPEN > movers[device].begun) /* else a later move has reused the event, and this move is done */
    CHECK(device, cudaStreamWaitEvent((cudaStream_t)stream, movers[device].moves[ticket % OPEN].end, 0), "a copy");
  return LS_OK;
}

ls_status ls_cuda_move(int device, const ls_move *what, u64 *ticket) {
  void *stream;
  ls_status st = ls_cuda_stream(device, &stream);
  Mover *m = &movers[device];
  if (!st) st = start(device, m);
  if (!st && m->begun >= OPEN) st = ls_cuda_settle(device, m->begun + 1 - OPEN);
  if (st) return st;
  Move *x = &m->moves[(m->begun + 1) % OPEN];
  x->traced = ls_trace_enabled();
  x->to_device = what->to_device;
  x->bytes = what->row * what->rows;
  if (x->traced) ls_timeline_resume();
  if (x->traced && m->done == m->begun) { /* no move in flight: compare the two clocks again */
    CHECK(device, cudaEventRecord(m->base, m->stream), "a copy");
    CHECK(device, cudaEventSynchronize(m->base), "a copy");
    m->based = ls_now();
  }
  CHECK(device, cudaEventRecord(x->after, (cudaStream_t)stream), "a copy");
  CHECK(device, cudaStreamWaitEvent(m->stream, x->after, 0), "a copy");
  CHECK(device, cudaEventRecord(x->begin, m->stream), "a copy");
  if (what->to_device)
    CHECK(device, cudaMemcpy2DAsync(what->dev, what->row, what->host, what->host_row, what->row, what->rows,
                                    cudaMemcpyHostToDevice, m->stream), "a copy");
  else
    CHECK(device, cudaMemcpy2DAsync(what->host, what->host_row, what->dev, what->row, what->row, what->rows,
                                    cudaMemcpyDeviceToHost, m->stream), "a copy");
  CHECK(device, cudaEventRecord(x->end, m->stream), "a copy");
  *ticket = ++m->begun;
  return LS_OK;
}

ls_status ls_cuda_pin(int device, void *host, size_t bytes) {
  ls_status st = ls_cuda_use(device);
  if (st) return st;
  CHECK(device, cudaHostRegister(host, bytes, cudaHostRegisterDefault), "pinning host memory");
  return LS_OK;
}

void ls_cuda_unpin(int device, void *host) {
  if (ls_cuda_use(device) || cudaHostUnregister(host) != cudaSuccess) cudaGetLastError();
}
