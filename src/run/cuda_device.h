/* What a CUDA device and its host tell each other: the driver's templates need no more of the host than this.
 */
#ifndef LS_RUN_CUDA_DEVICE_H
#define LS_RUN_CUDA_DEVICE_H

#include "core/types.h"
#include "language/domains.h"
#include "language/loops.h"

enum {
  LS_BLOCK = 512, /* threads a block */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  LS_RESIDENT = 2, /* blocks a multiprocessor */
#else
  LS_RESIDENT = 3,
#endif
};

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
  u32 turn;     /* that are over */
  u32 entries;  /* that they have made in the ring */
  u32 odd;      /* bit s: which of step s's two lists of hubs is the next to be read */
  u32 of_rows;  /* bits of a BEST step whose pieces are still to be walked */
  u32 pieces;   /* is it their turn? */
  u64 items[2]; /* of the turn's steps, for the trace */
} ls_stand;
enum { LS_STAND_WORDS = sizeof(ls_stand) / 4 };

/* A step's turns of one launch, where they are traced in sums. */
typedef struct ls_step_sum {
  unsigned long long time, items, turns; /* time in ns */
} ls_step_sum;

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
  ls_step_sum sums[LS_MAX_STEPS];
} ls_cuda_control;

/* Mapped host memory, one a launch in flight: what the device says of it. */
typedef struct ls_cuda_report {
  u64 done; /* the launch's ticket, written last */
  u64 begin, end, items;
  u32 full[LS_MAX_STEPS];
  u32 any_full; /* of a loop: only then `full` was written */
  u64 counts[LS_MAX_COUNTS];
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS];
  ls_step_sum sums[LS_MAX_STEPS]; /* of a loop that is traced in sums */
  ls_loop_at at;
  u32 var[LS_MAX_VARS];
  u32 ring_used, generation;
} ls_cuda_report;

/* A persistent loop's launch, by value into the kernel. */
typedef struct ls_loop_launch {
  ls_cuda_control *control;
  ls_cuda_report *report;
  ls_ring_entry *ring;
  u64 ticket, max_ns;
  u32 ring_room, generation, nsteps;
  bool traced, summed; /* each turn has its entry in the ring; the turns of a step are added up */
  ls_loop_at at;       /* where it begins */
  u32 var[LS_MAX_VARS];
} ls_loop_launch;

#endif
