/* What the CUDA driver's templates and the dispatcher need of src/run/cuda.cu. C on the outside. */
#ifndef LS_RUN_CUDA_H
#define LS_RUN_CUDA_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "run/device.h"
#include "run/cuda_device.h"
#include "run/launch.h"

typedef struct ls_cuda_launch {
  ls_cuda_control *control;
  ls_cuda_report *report; /* the device's address */
  u64 ticket;
  u32 units;
  const void *before; /* a kernel with the same parameters that goes before, or NULL */
  u32 before_blocks;
  u32 bytes; /* of a block's own memory, which the launch asks for */
  /* Launches a kernel that is none of the program's, a driver's function; NULL: it is the program's. */
  int (*by)(const void *kernel, u32 blocks, u32 threads, u32 bytes, void *stream, void **params);
} ls_cuda_launch;

/* How a step finds its domain and its queues; and how many blocks walk it. */
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
  const u64 resident = (u64)units * LS_RESIDENT * LS_BLOCK / threads; /* so many fill the device */
  const u64 per_block = domain == LS_TILE ? 1 : threads;
  u64 blocks = s->qin ? resident : (s->items + per_block - 1) / per_block;
  if (domain == LS_VERTEX_EDGES && blocks < resident) { /* few vertices, of many edges */
    const u64 shares = edges / (4 * threads);
    if (shares > blocks) blocks = shares < resident ? shares : resident;
  }
  const u64 most = domain == LS_TILE          ? 1u << 20
                   : domain == LS_VERTEX_BEST ? resident
                                              : (u64)units * 16 * LS_BLOCK / threads;
  return (u32)(blocks < 1 ? 1 : blocks > most ? most : blocks);
}

ls_status ls_cuda_begin(ls_launch *L, ls_cuda_launch *c);
/* Empties the QOUTs, launches, and notes the ticket in L. */
ls_status ls_cuda_submit(ls_launch *L, ls_cuda_launch *c, const void *kernel, u32 blocks, u32 threads,
                         void **params);
/* Threads a block of a launch: those that the call wants, or `most`, the row's own. */
ls_status ls_cuda_block(const ls_launch *L, u32 most, u32 *threads);
/* Launches a persistent loop and waits for it. params is the kernel's first parameter (NULL: it has none);
 * resident, the caller's static, keeps how many of its blocks a multiprocessor holds, at most most_resident
 * where they have most_threads: an element for each number of warps. bytes: of a block's own memory.
 * Its ring entries stay on the device, L->ring_used of them from L->ring_at, until ls_cuda_read_ring; traced
 * in sums, they are L->ring[step] and L->turns[step] instead. */
ls_status ls_cuda_run_loop(ls_launch *L, const void *kernel, u32 most_threads, u32 most_resident, u32 bytes,
                           u32 *resident, void *params);
/* Of a kernel that nobody knows the end of: a word on the device, to be set if Ctrl-C has come and the launch
 * goes on for a while after. For the next launch alone. */
void ls_cuda_stop_at(int device, void *word);
/* Selects a device for the calls that follow; the same, and the stream on which it does what it is asked. */
ls_status ls_cuda_use(int device);
ls_status ls_cuda_stream(int device, void **stream);
/* Copies a program to the device, for the launch of the loop that follows. */
ls_status ls_cuda_put_program(ls_launch *L, const void *program, size_t bytes, void *there);
/* For LIBRARY rows: the device's stream, with events around what is put on it between the two calls; and
 * where on the device the row's COUNTs are added up, LS_MAX_COUNTS numbers that are 0 at first. end: st is
 * what the body returned, and is returned; what a body that failed has counted is forgotten. */
ls_status ls_cuda_library_begin(ls_launch *L, void **stream, unsigned long long **counts);
ls_status ls_cuda_library_end(ls_launch *L, ls_status st);
/* Before an exchange runs beside kernels (L->beside), by the thread that launches these: it begins when all
 * that was asked of the device until now is done, and has a stream of its own, and scratch and staging
 * memory. */
ls_status ls_cuda_fork(int device);
/* Scratch memory of at least that size, kept by the device. */
ls_status ls_cuda_scratch(ls_launch *L, size_t bytes, void **out);
/* Host memory of at least that size, which copies reach fast; kept by the device. */
ls_status ls_cuda_staging(ls_launch *L, size_t bytes, void **out);
/* It is another's from now on; the next is new. */
void ls_cuda_staging_give_away(int device, bool beside);
/* LS_OK or LS_EDEVICE with what failed; marks the device lost where the error is sticky. */
ls_status ls_cuda_check(int device, int error, const char *what);

/* Fills out with the CUDA devices of this machine, at most max, and registers how buffers get memory there.
 * Returns how many there are: 0 where there is no driver or no device. (cuda.cu) */
int ls_cuda_devices(ls_device *out, int max);
/* Bytes that are free on device `index`. (cuda.cu) */
ls_status ls_cuda_memory_free(int index, u64 *bytes);

/* Waits for a launch, serving ls_idle; fills its counts. begin and end in seconds on ls_now's clock. */
ls_status ls_cuda_wait(ls_launch *L, u64 ticket, f64 *begin, f64 *end, u64 *items);
/* Fetches all entries of a device's ring (room for LS_RING) and empties it; and: is it more than half full?
 */
ls_status ls_cuda_read_ring(int device, ls_ring_entry *out);
bool ls_cuda_ring_is_short(int device);
/* Does someone wait for a launch now? Who is called meanwhile by ls_idle is not to wait as well. */
bool ls_cuda_is_waiting(void);
/* Serves ls_idle, waiting. */
void ls_cuda_idle(void);
f64 ls_cuda_seconds(int device, u64 device_ns); /* a device's clock as ls_now's */

#ifdef __cplusplus
}
#endif

#endif
