/* What is set up once per CUDA device: its streams, its counters and the reports of its launches. C++ only.
 */
#ifndef LS_RUN_CUDA_CONTEXT_H
#define LS_RUN_CUDA_CONTEXT_H

#include <cuda_runtime.h>

#include "run/devices/cuda.h"
#include "run/devices/cuda_check.h"

enum { LS_CUDA_REPORTS = 1024, LS_CUDA_PROGRAM = 1 << 16 };

struct ls_cuda_context {
  bool ready;
  char name[16];
  cudaStream_t stream;
  ls_cuda_control *control;
  ls_ring_entry *ring;
  ls_cuda_report *reports, *reports_on_device;
  u64 ticket; /* of the newest launch */
  u64 open;   /* of a launch that has not been submitted yet; 0: none */
  u32 generation, units, ring_used;
  /* The clocks are compared once: clock_base is the device's clock (ns since 1970), clock_offset is ls_now()
   * at that time. A difference of nanoseconds fits a double, a time since 1970 does not. */
  u64 clock_base;
  f64 clock_offset;
  struct Room {
    void *at;
    size_t bytes;
  } scratch[2], staging[2]; /* [1]: for an exchange that overlaps with kernels; staging is on the host */
  cudaStream_t exchanges;   /* stream of such exchanges */
  cudaEvent_t forked;       /* recorded after the work that was queued before the newest such exchange */
  void *program; /* a loop's program, at most LS_CUDA_PROGRAM bytes, while it is copied to the device */
  ls_cuda_launch library;
  bool lost;
  void *stop;          /* device word that ends the launch in flight; NULL: it ends by itself */
  cudaStream_t beside; /* stream for writing that word */
};
extern ls_cuda_context ls_cuda_contexts[MAX_DEVICES];

/* Selects a device for the calling thread, and sets it up at the first call. LS_EDEVICE if it is lost. */
ls_status ls_cuda_open(int device, ls_cuda_context **out);

static inline ls_cuda_report *ls_cuda_report_of(ls_cuda_context *c, u64 ticket) {
  return &c->reports[ticket % LS_CUDA_REPORTS];
}

/* On a stream: writes the time of the device's clock, in ns, to *cell (memory that the device can access). */
void ls_cuda_stamp(cudaStream_t stream, u64 *cell);

/* Bytes available to an allocation on the current device: free ones, and those that its pool or this program
 * keeps unused. */
cudaError_t ls_cuda_unused(int device, size_t *bytes, size_t *total);

#endif
