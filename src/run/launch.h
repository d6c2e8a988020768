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
  u64 size[LS_MAX_ARGS]; /* elements */
  void *qin;             /* the queue that is the domain; NULL where there is none */
  u32 qin_width;         /* bytes of its length: 4 or 8 */
  u32 filled;            /* how many queues the row fills */
  void *queue[LS_MAX_FILLED];
  u64 room[LS_MAX_FILLED];     /* items that fit */
  u32 width[LS_MAX_FILLED];    /* bytes of its length */
  bool emptied[LS_MAX_FILLED]; /* before the launch */
} ls_bind;

/* Finds a row's queues among its arguments, which are bound. */
void ls_bind_queues(const ls_prim *p, ls_bind *b);

/* On the CPU: the items in the QIN queue; and: the queues that are to be empty are emptied. */
static inline u64 ls_queue_items(const ls_bind *b) {
  return b->qin_width == 4 ? *(const u32 *)b->qin : *(const u64 *)b->qin;
}
static inline void ls_queues_empty(const ls_bind *b) {
  for (u32 q = 0; q < b->filled; q++) {
    if (b->emptied[q] && b->width[q] == 4) *(u32 *)b->queue[q] = 0;
    if (b->emptied[q] && b->width[q] == 8) *(u64 *)b->queue[q] = 0;
  }
}

enum { LS_RING = 1 << 15 };

/* CPU: the first thread of a launch that a signal ended. */
typedef struct ls_launch_fault {
  u32 signal;      /* 0: none. What is left of the launch is skipped */
  i32 code;        /* siginfo's */
  bool stack;      /* the thread's stack ran out */
  u64 address;     /* of memory, or of the instruction */
  u64 first, past; /* it had one of these items; first == past: none */
  bool known;      /* checked form: it was the thread of this index, at this edge (~0: at none) */
  u64 thread, edge;
} ls_launch_fault;

/* What a thread of a launch does, and which items it has at present. */
typedef struct ls_cpu_walk {
  struct ls_launch *launch;
  void *own;       /* the driver's */
  u64 first, past; /* items */
  const u64 *mine; /* checked form: the thread's index and its edge; NULL: it is not known */
} ls_cpu_walk;

typedef struct ls_launch {
  const ls_prim *prim;
  ls_dtype type;
  u32 n, m;
  u64 items; /* of VERTEX, EDGE and TILE domains */
  ls_bind bind;
  int threads; /* CPU: how many */
  bool serial; /* CPU: one thread, in order */
  bool on_cuda;
  int device; /* CUDA ordinal */
  u32 block;  /* CUDA: threads a block; 0: the row's own */
  bool traced;
  bool first;  /* CUDA: its time may contain the loading of its code; out */
  bool beside; /* an exchange, by another thread than the one that launches kernels, */
  f64 begun;   /* and when it began: after all that was launched before it; out */
  u32 full;    /* out: bit q: the row's q-th queue had no room for an item */
  u64 ticket;  /* CUDA: of the launch submitted; out */
  /* CPU, a text's: runs walk(w) on this thread. If a signal ends it, `fault` is set, unless another thread's
   * is. leave ends the walk of this thread because of another's fault. */
  void (*guard)(void (*walk)(void *), ls_cpu_walk *w);
  void (*leave)(void);
  ls_launch_fault fault;     /* CPU; out */
  u64 counts[LS_MAX_COUNTS]; /* out (CPU; CUDA fills it when the launch is waited for) */

  /* loops */
  const struct ls_loop *loop;
  ls_loop_at at;          /* where it stands; in and out */
  u32 var[LS_MAX_VARS];   /* the values of its FORs' variables; in and out */
  u32 limit[LS_MAX_VARS]; /* of its FORs */
  u64 *step_items;        /* of VERTEX, EDGE and TILE steps */
  f64 max_seconds;        /* a loop returns to the host after that time */
  bool by_host;           /* CUDA: its steps are launched one by one; out */
  bool summed;            /* traced in sums: the persistent kernel on CUDA adds the turns of each step up */
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS]; /* out: sums over this launch */
  u32 loop_full[LS_MAX_STEPS];                  /* out: as `full`, of steps that do not count what is LOST */
  ls_ring_entry *ring; /* room for LS_RING entries, of a CPU or of sums; times in ns */
  u32 ring_at;         /* CUDA: where this launch's entries begin in the device's ring */
  u32 ring_used;
  u64 ring_begin;          /* CUDA: when the first iteration began */
  u32 turns[LS_MAX_STEPS]; /* CUDA, summed: of ring_used, those of each step, whose sum is ring[step]; out */
} ls_launch;

/* Argument i of a loop's step, with the pairs in `at.swaps` changed places and FOR's variables as they stand.
 */
void ls_bind_step(const ls_launch *L, int s, u32 swaps, ls_bind *out);

/* Runs a loop's steps one by one, from L->at on: on a CPU, and on CUDA where not all steps are bodies of the
 * driver's. */
ls_status ls_loop_by_host(ls_launch *L);

/* Does a row fill queues, and does it count itself what they have no room for? Else a full one is an error.
 */
bool ls_fills_queues(const ls_prim *p);
bool ls_counts_lost(const ls_prim *p);
/* The error of a queue that was full, if there was one: of a row, or of a loop's step, after a launch. */
ls_status ls_queues_full(const ls_launch *L);

#endif
