/* What the CUDA driver's templates and the dispatcher need of src/run/cuda.cu. C on the outside. */
#ifndef LS_RUN_CUDA_H
#define LS_RUN_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

#include "run/device.h"
#include "run/launch.h"

/* How a step finds its domain, and its queues. */
typedef struct ls_cuda_step {
  void *qin;
  void *queue[LS_MAX_FILLED]; /* that it fills */
  u64 room[LS_MAX_FILLED];    /* items that fit */
  u64 items;
  u8 qin_width, width[LS_MAX_FILLED]; /* bytes of their lengths */
  u8 filled, emptied;                 /* how many it fills; bit q: queue q is emptied before */
} ls_cuda_step;

/* Vertices of very many edges that wait for the next iteration of a loop, by its parity. */
enum { LS_HUBS = 1 << 17 };
typedef struct ls_hubs {
  u32 used[2];
  u32 vertex[2][LS_HUBS];
} ls_hubs;

/* Pieces of the long rows of a BEST domain, which the blocks share, and what each piece's best was. */
enum { LS_ROW_PIECES = 1 << 18 };
typedef struct ls_long_rows {
  u32 listed;
  u32 vertex[LS_ROW_PIECES], first[LS_ROW_PIECES]; /* whose piece it is, and the first piece of that row */
  u32 done[LS_ROW_PIECES];                         /* at a row's first piece: how many are done */
  u64 score[LS_ROW_PIECES];
  u32 edge[LS_ROW_PIECES];
} ls_long_rows;

enum { LS_LOOP_BLOCKS = 511 }; /* of a persistent loop's grid: nine bits count them */

/* Where a loop's run stands. */
typedef struct __attribute__((aligned(16))) ls_stand {
  ls_loop_at at;
  u32 turn;    /* that are over */
  u32 entries; /* that they have made in the ring */
  u32 odd;     /* bit s: which of step s's two lists of hubs is the next to be read */
  u32 of_rows; /* bits of a BEST step whose pieces are still to be walked */
  u32 pieces;  /* is it their turn? */
} ls_stand;
enum { LS_STAND_WORDS = sizeof(ls_stand) / 4 };

/* Device memory, one a device: counters in flight and the state of a persistent loop. What blocks wait for,
 * where they arrive and what they count up lie far apart, so that different parts of the second-level cache
 * serve them. */
typedef struct ls_cuda_control {
  u64 word;       /* of the barrier: generation, and what comes next */
  ls_stand stand; /* and the values of FORs' variables, as of the last release */
  u32 var[LS_MAX_VARS];
  ls_hubs hubs[LS_MAX_STEPS];
  unsigned long long loop_arrived; /* how many blocks, and what they tell */
  ls_long_rows long_rows;
  u32 arrived; /* blocks of a row's launch that are done */
  u64 begin;
  u32 full[LS_MAX_STEPS]; /* of a row, or of a loop's steps: bit q: its q-th queue had no room for an item */
  u32 any_full;           /* of a loop: was there a queue in which that is an error? */
  unsigned long long counts[LS_MAX_COUNTS];
  unsigned long long turn_counts[2][2]
                                [LS_MAX_COUNTS]; /* of a loop's turn: even or odd; a second step beside */
  unsigned long long totals[LS_MAX_STEPS][LS_MAX_COUNTS];
} ls_cuda_control;

/* Mapped host memory, one a launch in flight: what the device says of it. */
typedef struct ls_cuda_report {
  u64 done; /* the launch's ticket, written last */
  u64 begin, end, items;
  u32 full[LS_MAX_STEPS];
  u32 any_full; /* of a loop: only then `full` was written */
  u64 counts[LS_MAX_COUNTS];
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS];
  ls_loop_at at;
  u32 var[LS_MAX_VARS];
  u32 ring_used, generation;
} ls_cuda_report;

typedef struct ls_cuda_launch {
  ls_cuda_control *control;
  ls_cuda_report *report; /* the device's address */
  u64 ticket;
  u32 units;
  const void *before; /* a kernel with the same parameters that goes before, or NULL */
  u32 before_blocks;
} ls_cuda_launch;

/* A persistent loop's launch, by value into the kernel. */
typedef struct ls_loop_launch {
  ls_cuda_control *control;
  ls_cuda_report *report;
  ls_ring_entry *ring;
  u64 ticket, max_ns;
  u32 ring_room, generation, nsteps;
  bool traced;
  ls_loop_at at; /* where it begins */
  u32 var[LS_MAX_VARS];
} ls_loop_launch;

ls_status ls_cuda_begin(ls_launch *L, ls_cuda_launch *c);
/* Empties the QOUTs, launches, and notes the ticket in L. */
ls_status ls_cuda_submit(ls_launch *L, ls_cuda_launch *c, const void *kernel, u32 blocks, u32 threads,
                         void **params);
/* Launches a persistent loop and waits for it. params is the kernel's first parameter (NULL: it has none);
 * resident, the caller's static, keeps how many of its blocks a multiprocessor holds, at most most_resident.
 * Its ring entries stay on the device, L->ring_used of them from L->ring_at, until ls_cuda_read_ring. */
ls_status ls_cuda_run_loop(ls_launch *L, const void *kernel, u32 threads, u32 most_resident, u32 *resident,
                           void *params);
/* Selects a device for the calls that follow. */
ls_status ls_cuda_use(int device);
/* Copies a program to the device, for the launch of the loop that follows. */
ls_status ls_cuda_put_program(ls_launch *L, const void *program, size_t bytes, void *there);
/* For LIBRARY rows: the device's stream, with events around what is put on it between the two calls. */
ls_status ls_cuda_library_begin(ls_launch *L, void **stream);
ls_status ls_cuda_library_end(ls_launch *L);
/* Scratch memory of at least that size, kept by the device. */
ls_status ls_cuda_scratch(ls_launch *L, size_t bytes, void **out);
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
f64 ls_cuda_seconds(int device, u64 device_ns); /* a device's clock as ls_now's */

#ifdef __cplusplus
}
#endif

#endif
