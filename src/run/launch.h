/* What the dispatcher hands to a driver: one launch of one row (or of one loop) on one device. */
#ifndef LS_RUN_LAUNCH_H
#define LS_RUN_LAUNCH_H

#include "core/error.h"
#include "core/types.h"
#include "run/row.h"

typedef union ls_value {
  u32 u;
  u64 U;
  i64 i;
  f64 f;
} ls_value;

/* A row's arguments on the device, in the row's order. */
typedef struct ls_bind {
  void *ptr[LS_MAX_ARGS];
  ls_value value[LS_MAX_ARGS];
  u64 size[LS_MAX_ARGS];     /* elements */
  const u32 *off;            /* the OFF argument, NULL where the row has none */
  void *qin, *qout;          /* likewise its queues */
  u32 qin_width, qout_width; /* bytes an item: 4 or 8 */
  u64 qout_room;             /* items that fit */
} ls_bind;

/* On the CPU: the items in the QIN queue, and an empty QOUT queue (where there is one). */
static inline u64 ls_queue_items(const ls_bind *b) {
  return b->qin_width == 4 ? *(const u32 *)b->qin : *(const u64 *)b->qin;
}
static inline void ls_queue_empty(const ls_bind *b) {
  if (b->qout_width == 4) *(u32 *)b->qout = 0;
  if (b->qout_width == 8) *(u64 *)b->qout = 0;
}

/* What a step of a fused loop did in one iteration. */
typedef struct ls_ring_entry {
  u32 step, iteration;
  u64 items;
  u64 begin, end; /* ns of the device's clock */
  u64 counts[LS_MAX_COUNTS];
} ls_ring_entry;

enum { LS_RING = 1 << 15 };

typedef struct ls_launch {
  const ls_prim *prim;
  ls_dtype type;
  u32 n, m;
  u64 items; /* of VERTEX, EDGE and TILE domains */
  ls_bind bind;
  int threads; /* CPU: how many */
  bool serial; /* CPU: one thread, in order */
  int device;  /* CUDA ordinal */
  bool traced;
  u64 ticket;                /* CUDA: of the launch submitted; out */
  u64 counts[LS_MAX_COUNTS]; /* out (CPU; CUDA fills it when the launch is waited for) */

  /* loops: every step's arguments in even and in odd iterations (the swaps make them differ); of a program:
   * in even and in odd repetitions of the step */
  ls_bind (*step)[LS_MAX_STEPS];
  u64 *step_items; /* of VERTEX, EDGE and TILE steps */
  u32 at;          /* programs: the step to begin with; out: to go on with, prim->once between iterations */
  u64 left;        /* programs: of `until`, so far in this iteration; in and out */
  u64 max_iterations; /* in this launch; 0: no bound */
  u64 max_repeats;    /* programs: of a step, which then stand still before its end; 0: no bound */
  u64 repeats;        /* programs: of the step to begin with, so far; in and out */
  f64 max_seconds;    /* a loop returns to the host after that time */
  u64 iterations;     /* out: done in this launch */
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS]; /* out: sums over this launch */
  bool finished;                                /* out: the count was zero */
  ls_ring_entry *ring;                          /* CPU: room for LS_RING entries */
  u32 ring_at; /* CUDA: where this launch's entries begin in the device's ring */
  u32 ring_used;
  u64 ring_begin; /* CUDA: when the first iteration began */
} ls_launch;

/* Which COUNT of each step `until` names; -1: none. */
static inline int ls_until_index(const ls_prim *loop, int step) {
  int k = 0;
  for (int i = 0; i < loop->steps[step]->nargs; i++) {
    const ls_arg *arg = &loop->steps[step]->args[i];
    if (arg->role != LS_COUNT) continue;
    const char *x = arg->name, *y = loop->until;
    while (*x && *x == *y) x++, y++;
    if (*x == *y) return k;
    k++;
  }
  return -1;
}

#endif
