/* What the dispatcher passes to a driver: one launch of one row (or of one loop) on one device. */
#ifndef LS_RUN_LAUNCH_H
#define LS_RUN_LAUNCH_H

#include "core/error.h"
#include "core/types.h"
#include "run/launch/row.h"

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
  void *qin;             /* the queue that is the domain; NULL: none */
  u32 qin_width;         /* bytes of its length word: 4 or 8 */
  u32 filled;            /* number of queues that the row fills */
  void *queue[LS_MAX_FILLED];
  u64 room[LS_MAX_FILLED];     /* items that fit */
  u32 width[LS_MAX_FILLED];    /* bytes of its length word */
  bool emptied[LS_MAX_FILLED]; /* to be emptied before the launch */
} ls_bind;

/* Fills in the queues of b, whose arguments are bound already. */
void ls_bind_queues(const ls_prim *p, ls_bind *b);

/* On the CPU: ls_queue_items returns the number of items in the QIN queue; ls_queues_empty empties those that
 * must be empty before the launch. */
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

/* CPU: the first thread of a launch in which a signal occurred. */
typedef struct ls_launch_fault {
  u32 signal;      /* 0: none; else the rest of the launch is skipped */
  i32 code;        /* siginfo's */
  bool stack;      /* the thread's stack overflowed */
  u64 address;     /* of the memory access, or of the instruction */
  u64 first, past; /* the thread was working on one of these items; first == past: unknown */
  bool known;      /* bounds-checked variant: `thread` and `edge` are known (edge ~0: none) */
  u64 thread, edge;
} ls_launch_fault;

/* A CPU thread's part of a launch, and the items on which it works at present. */
typedef struct ls_cpu_walk {
  struct ls_launch *launch;
  void *own;       /* the driver's own data */
  u64 first, past; /* items */
  const u64 *mine; /* bounds-checked variant: the thread's index and its edge; NULL: unknown */
} ls_cpu_walk;

typedef struct ls_launch {
  const ls_prim *prim;
  ls_dtype type;
  u32 n, m;
  u64 items; /* of VERTEX, EDGE and TILE domains */
  ls_bind bind;
  int threads; /* CPU: number of threads */
  bool serial; /* CPU: one thread, in order */
  bool on_cuda;
  int device; /* CUDA ordinal */
  u32 block;  /* CUDA: threads per block; 0: the row's default */
  bool traced;
  bool first;  /* out, CUDA: the launch's time may include the loading of its code */
  bool beside; /* an exchange that overlaps with kernels, on a thread of its own */
  f64 begun;   /* out, if `beside`: when the exchange began, which is after the end of all earlier launches */
  u32 full;    /* out: bit q: the row's q-th queue overflowed */
  u64 ticket;  /* out, CUDA: number of the submitted launch */
  /* CPU, rows compiled at run time: `guard` runs walk(w) on this thread; if a signal ends the walk, `fault`
   * is set, unless another thread has already set it. `leave` ends this thread's walk because another thread
   * has failed. */
  void (*guard)(void (*walk)(void *), ls_cpu_walk *w);
  void (*leave)(void);
  ls_launch_fault fault;     /* CPU; out */
  u64 counts[LS_MAX_COUNTS]; /* out (on CUDA when the launch is waited for) */

  /* loops */
  const struct ls_loop *loop;
  ls_loop_at at;          /* position of the run; in and out */
  u32 var[LS_MAX_VARS];   /* values of the loop's FOR variables; in and out */
  u32 limit[LS_MAX_VARS]; /* upper limits of the loop's FORs */
  u64 *step_items;        /* items of VERTEX, EDGE and TILE steps */
  f64 max_seconds;        /* the loop returns to the host after this time */
  bool by_host;           /* out, CUDA: the host launches the steps one by one */
  bool summed;            /* traced in sums: on CUDA the persistent kernel adds up the runs of each step */
  u64 loop_counts[LS_MAX_STEPS][LS_MAX_COUNTS]; /* out: sums over this launch */
  u32 loop_full[LS_MAX_STEPS];                  /* out: as `full`, for steps without a LOST counter */
  ls_ring_entry *ring; /* CPU, or traced in sums: room for LS_RING entries; times in ns */
  u32 ring_at;         /* CUDA: where this launch's entries begin in the device's ring */
  u32 ring_used;
  u64 ring_begin;          /* CUDA: when the first iteration began */
  u32 turns[LS_MAX_STEPS]; /* out, CUDA, if `summed`: ring[step] is the sum of turns[step] runs */
} ls_launch;

/* Binds the arguments of step s, with the pairs in `swaps` exchanged and the current values of the FORs'
 * variables. */
void ls_bind_step(const ls_launch *L, int s, u32 swaps, ls_bind *out);

/* Runs a loop's steps one by one, from L->at on: on a CPU, and on CUDA if the loop or one of its steps was
 * compiled at run time. */
ls_status ls_loop_by_host(ls_launch *L);

/* ls_fills_queues: does the row fill queues? ls_counts_lost: does it count the items that have no room? If
 * not, a full queue is an error. */
bool ls_fills_queues(const ls_prim *p);
bool ls_counts_lost(const ls_prim *p);
/* After a launch of a row or a loop: LS_EARG if a queue overflowed and that is an error. */
ls_status ls_queues_full(const ls_launch *L);

#endif
