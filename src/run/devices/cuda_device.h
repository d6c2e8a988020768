/* Data that a CUDA device and its host exchange; all that the driver's templates need of the host. */
#ifndef LS_RUN_CUDA_DEVICE_H
#define LS_RUN_CUDA_DEVICE_H

#include "core/types.h"
#include "language/domains.h"
#include "language/loops.h"

enum {
  LS_BLOCK = 512, /* threads per block */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  LS_RESIDENT = 2, /* blocks per multiprocessor */
#else
  LS_RESIDENT = 3,
#endif
};

/* A step's domain and its queues. */
typedef struct ls_cuda_step {
  void *qin;
  void *queue[LS_MAX_FILLED]; /* the queues that it fills */
  u64 room[LS_MAX_FILLED];    /* items that fit */
  u64 items;
  u8 qin_width, width[LS_MAX_FILLED]; /* bytes of the queues' length words */
  u8 filled, emptied;                 /* number of queues that it fills; bit q: queue q is emptied first */
} ls_cuda_step;

/* Vertices with very many edges, deferred to the next iteration of a loop: two lists, by the iteration's
 * parity. */
enum { LS_HUBS = 1 << 17 };
typedef struct ls_hubs {
  u32 used[2];
  u32 vertex[2][LS_HUBS];
} ls_hubs;

/* Long rows of a BEST domain are split into pieces, which are distributed to all blocks. This lists the
 * pieces and the best edge of each. */
enum { LS_ROW_PIECES = 1 << 18 };
typedef struct ls_long_rows {
  u32 listed;
  u32 vertex[LS_ROW_PIECES], first[LS_ROW_PIECES]; /* the piece's vertex, and the first piece of its row */
  u32 done[LS_ROW_PIECES];                         /* at a row's first piece: number of pieces done */
  u64 score[LS_ROW_PIECES];
  u32 edge[LS_ROW_PIECES];
} ls_long_rows;

enum { LS_LOOP_BLOCKS = 511 }; /* maximum number of blocks of a persistent loop: nine bits count them */

/* Position of a loop's run. A turn is one execution of a step, or of two parallel steps. */
typedef struct __attribute__((aligned(16))) ls_stand {
  ls_loop_at at;
  u32 turn;     /* number of turns that are over */
  u32 entries;  /* ring entries that these turns have added */
  u32 odd;      /* bit s: which of step s's two lists of hubs is to be read next */
  u32 of_rows;  /* which COUNTs of a BEST step are not zero; valid while pieces of its long rows are still to
                   be processed */
  u32 pieces;   /* do these pieces come next? */
  u64 items[2]; /* of the turn's steps, for the trace */
} ls_stand;
enum { LS_STAND_WORDS = sizeof(ls_stand) / 4 };

/* Sum over a step's turns in one launch, if the trace records sums. */
typedef struct ls_step_sum {
  unsigned long long time, items, turns; /* time in ns */
} ls_step_sum;

/* In device memory, one per device: counters in flight and the state of a persistent loop. Three kinds of
 * words lie far apart, so that different parts of the L2 cache serve them: those that blocks poll, those in
 * which blocks report their arrival, and those that blocks add to. */
typedef struct ls_cuda_control {
  u64 word; /* of the barrier: its generation, and what comes next */
  /* Position of the run and values of the FORs' variables, as of the last release of the barrier. */
  ls_stand stand;
  u32 var[LS_MAX_VARS];
  ls_hubs hubs[LS_MAX_STEPS];
  unsigned long long loop_arrived; /* number of blocks that have arrived, and what they report */
  ls_long_rows long_rows;
  u32 arrived; /* of a row's launch: number of blocks that are done */
  u64 begin;
  u32 full[LS_MAX_STEPS]; /* of a row, or of a loop's steps; bit q: its q-th queue overflowed */
  u32 any_full;           /* of a loop: did a queue overflow that has no LOST counter? */
  unsigned long long counts[LS_MAX_COUNTS];
  /* Of a loop: [even or odd turn][first or second of parallel steps]. */
  unsigned long long turn_counts[2][2][LS_MAX_COUNTS];
  unsigned long long totals[LS_MAX_STEPS][LS_MAX_COUNTS];
  ls_step_sum sums[LS_MAX_STEPS];
} ls_cuda_control;

/* In mapped host memory, one per launch in flight: what the device reports. */
typedef struct ls_cuda_report {
  u64 done; /* the launch's ticket, written last */
  u64 begin, end, items;
  u32 full[LS_MAX_STEPS];
  u32 any_full; /* of a loop: `full` is written only if this is set */
  u64 counts[LS_MAX_COUNTS];
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS];
  ls_step_sum sums[LS_MAX_STEPS]; /* of a loop that is traced in sums */
  ls_loop_at at;
  u32 var[LS_MAX_VARS];
  u32 ring_used, generation;
} ls_cuda_report;

/* Parameters of a persistent loop's launch, passed to the kernel by value. */
typedef struct ls_loop_launch {
  ls_cuda_control *control;
  ls_cuda_report *report;
  ls_ring_entry *ring;
  u64 ticket, max_ns;
  u32 ring_room, generation, nsteps;
  /* traced: each turn has a ring entry; summed: the turns of a step are added up instead. */
  bool traced, summed;
  ls_loop_at at; /* where it begins */
  u32 var[LS_MAX_VARS];
} ls_loop_launch;

#endif
