/* Interface of src/run/devices/cuda.cu for the CUDA driver's templates and the dispatcher. Callable from C.
 */
#ifndef LS_RUN_CUDA_H
#define LS_RUN_CUDA_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "run/devices/device.h"
#include "run/devices/cuda_device.h"
#include "run/launch/launch.h"

typedef struct ls_cuda_launch {
  ls_cuda_control *control;
  ls_cuda_report *report; /* its address on the device */
  u64 ticket;
  u32 units;
  const void *before; /* a kernel with the same parameters to launch first, or NULL */
  u32 before_blocks;
  u32 bytes; /* dynamic shared memory per block */
  /* Launches `kernel` if it was compiled at run time (it is a CUfunction); NULL: `kernel` is built in. */
  int (*by)(const void *kernel, u32 blocks, u32 threads, u32 bytes, void *stream, void **params);
} ls_cuda_launch;

/* A step's domain and queues (ls_cuda_step_of), and the number of blocks that run it (ls_cuda_blocks). */
static inline ls_cuda_step ls_cuda_step_of(const ls_bind *b, u64 items) {
  ls_cuda_step s;
  memset(&s, 0, sizeof s);
  s.qin = b->qin, s.qin_width = (u8)b->qin_width;
  s.items = items;
  s.filled = (u8)b->filled;
  for (u32 q = 0; q < b->filled; q++) {
    s.queue[q] = b->queue[q], s.room[q] = b->room[q], s.width[q] = (u8)b->width[q];
    s.emptied |= (u8)(b->emptied[q] << q);
  }
  return s;
}
static inline u32 ls_cuda_blocks(ls_domain domain, const ls_cuda_step *s, u64 edges, u32 units, u32 threads) {
  const u64 resident = (u64)units * LS_RESIDENT * LS_BLOCK / threads; /* blocks that fill the device */
  const u64 per_block = domain == LS_TILE ? 1 : threads;
  u64 blocks = s->qin ? resident : (s->items + per_block - 1) / per_block;
  if (domain == LS_VERTEX_EDGES && blocks < resident) { /* few vertices with many edges */
    const u64 shares = edges / (4 * threads);
    if (shares > blocks) blocks = shares < resident ? shares : resident;
  }
  const u64 most = domain == LS_TILE          ? 1u << 20
                   : domain == LS_VERTEX_BEST ? resident
                                              : (u64)units * 16 * LS_BLOCK / threads;
  return (u32)(blocks < 1 ? 1 : blocks > most ? most : blocks);
}

ls_status ls_cuda_begin(ls_launch *L, ls_cuda_launch *c);
/* Empties the QOUTs, then launches. L->ticket is set by ls_cuda_begin. */
ls_status ls_cuda_submit(ls_launch *L, ls_cuda_launch *c, const void *kernel, u32 blocks, u32 threads,
                         void **params);
/* Threads per block of a launch: the number that the call requests, else `most`, the row's default. A request
 * above `most` is LS_EARG for a row; a loop uses `most`. */
ls_status ls_cuda_block(const ls_launch *L, u32 most, u32 *threads);
/* Launches a persistent loop and waits for it. params: the kernel's first parameter; NULL: it has none.
 * resident: a static array of the caller, one element per number of warps, that caches how many blocks fit on
 * a multiprocessor. most_resident: limit on that number for blocks of most_threads threads. bytes: dynamic
 * shared memory per block. The ring entries stay on the device, L->ring_used of them from L->ring_at, until
 * ls_cuda_read_ring. If L->summed, the entries are sums per step instead, in L->ring[step] and
 * L->turns[step]. */
ls_status ls_cuda_run_loop(ls_launch *L, const void *kernel, u32 most_threads, u32 most_resident, u32 bytes,
                           u32 *resident, void *params);
/* For a kernel of unknown duration: `word` on the device is set if the launch still runs 0.3 s after Ctrl-C.
 * Applies only to the next launch. */
void ls_cuda_stop_at(int device, void *word);
/* ls_cuda_use selects the device for this thread's CUDA calls; ls_cuda_stream does too, and returns the
 * stream of the device's launches and copies. */
ls_status ls_cuda_use(int device);
ls_status ls_cuda_stream(int device, void **stream);
/* Copies a loop's program to `there` on the device, for the launch that follows. */
ls_status ls_cuda_put_program(ls_launch *L, const void *program, size_t bytes, void *there);
/* For LIBRARY rows. The body runs between the two calls: it queues its work on *stream, which is timed, and
 * adds its COUNTs to *counts on the device, LS_MAX_COUNTS numbers that are 0 at first. end: st is the body's
 * status, which is returned; the counts of a failed body are dropped. */
ls_status ls_cuda_library_begin(ls_launch *L, void **stream, unsigned long long **counts);
ls_status ls_cuda_library_end(ls_launch *L, ls_status st);
/* Called by the thread that launches kernels, before an exchange that overlaps with them (L->beside): the
 * exchange will begin when all work queued on the device so far is done. It has its own stream, scratch
 * memory and staging memory. */
ls_status ls_cuda_fork(int device);
/* Device memory of at least `bytes` bytes, kept for later launches. */
ls_status ls_cuda_scratch(ls_launch *L, size_t bytes, void **out);
/* Host memory of at least `bytes` bytes with fast copies to and from the device; kept for later launches. */
ls_status ls_cuda_staging(ls_launch *L, size_t bytes, void **out);
/* Gives the staging memory up without freeing it (a failed exchange may still use it); the next call
 * allocates new memory. */
void ls_cuda_staging_give_away(int device, bool beside);
/* LS_OK, or LS_EDEVICE with a message that names `what`; marks the device lost if the error is sticky.
 * (cuda_context.cu) */
ls_status ls_cuda_check(int device, int error, const char *what);

/* Fills out with the CUDA devices of this machine, at most max, and registers the memory operations of
 * buffers there. Returns their number: 0 without a driver or a device. (cuda.cu) */
int ls_cuda_devices(ls_device *out, int max);
/* Bytes that are free on device `index`. (cuda_memory.cu) */
ls_status ls_cuda_memory_free(int index, u64 *bytes);

/* Waits for a launch, serving ls_idle; fills its counts. begin and end in seconds on ls_now's clock. */
ls_status ls_cuda_wait(ls_launch *L, u64 ticket, f64 *begin, f64 *end, u64 *items);
/* ls_cuda_read_ring copies all entries of a device's ring to out (room for LS_RING) and empties the ring.
 * ls_cuda_ring_is_short: is the ring more than half full? */
ls_status ls_cuda_read_ring(int device, ls_ring_entry *out);
bool ls_cuda_ring_is_short(int device);
/* Is a wait for a launch in progress? Code that ls_idle calls meanwhile must not wait as well. */
bool ls_cuda_is_waiting(void);
/* Calls ls_idle as part of a wait. */
void ls_cuda_idle(void);
f64 ls_cuda_seconds(int device, u64 device_ns); /* converts a time of the device's clock to ls_now's clock */

#ifdef __cplusplus
}
#endif

#endif
