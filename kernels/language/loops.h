/* What a loop is once it is compiled: a list of operations, and where a run of it stands. Two functions say what comes
 * after a step: ls_tell_flags notes what it has counted, and ls_to_step goes on to the next one. They are the same on a
 * CPU, on the host that launches a device's steps, and within a device's kernel. (Stepping at the prompt goes by the words
 * of the loop itself: lua/prelude.lua.) */
#ifndef LOOPS_H
#define LOOPS_H

#include "core/types.h"

enum {
  LS_MAX_STEPS = 32,
  LS_MAX_PAIRS = 8,
  LS_MAX_VARS = 4,
  LS_MAX_OPS = 96,
  LS_MAX_COUNTS = 4,                     /* of a row, with the driver's own */
  LS_MAX_FILLED = 4,                     /* queues that a row fills */
  LS_STEP_PAIRS = 4,                     /* that one step has a part of */
  LS_VARIANTS = 1 << LS_STEP_PAIRS,      /* of a step: which of its pairs have changed places */
  LS_MAX_REPEATS = 4,                    /* REPEATs within REPEATs */
  LS_NO_PAIR = 0xff
};

typedef enum ls_op_kind {
  LS_OP_STEP,  /* run step `at`; with `to`, side by side with the next step */
  LS_OP_SWAP,  /* the pair `at` changes places */
  LS_OP_FORGET, /* no flag is set: what comes ONCE is over */
  LS_OP_CLEAR,  /* a REPEAT begins, the `at`-th around: no step has set `flag` yet */
  LS_OP_AGAIN,  /* go to `to` for another pass if `flag` is set */
  LS_OP_SKIP,   /* go to `to` if `flag` is not set */
  LS_OP_FOR,    /* variable `at` is 0; go to `to` where that is its limit */
  LS_OP_NEXT,   /* variable `at` is one more; go to `to` if it is below its limit */
  LS_OP_END
} ls_op_kind;

typedef struct ls_op {
  u8 kind, at;
  u8 to;
  u8 main; /* of AGAIN, NEXT and a SKIP that leaves: it ends an iteration of the loop */
  u32 flag;
} ls_op;

/* What a COUNT of a step does to flags: it sets `sets`, and `tells` is whether it is not zero. */
typedef struct ls_count_flags {
  u32 sets, tells;
} ls_count_flags;

typedef struct ls_loop_code {
  ls_op op[LS_MAX_OPS];
  ls_count_flags flags[LS_MAX_STEPS][LS_MAX_COUNTS];
  u8 begun_at;     /* the operation to begin with where what comes ONCE is left out */
  u8 main_var;     /* of an outermost FOR, plus 1; 0: there is none */
  u8 has_main;     /* is a pass of an outermost REPEAT or FOR an iteration? Else the loop as a whole is one. */
  u8 has_inner;    /* is there a REPEAT within an iteration, which max_repeats bounds? */
  u32 alone;       /* bit s: a REPEAT has this step alone, or beside another, and swaps */
} ls_loop_code;

/* Where a run stands. An iteration begins with no flag set, so that it is the same whether the run came from the iteration
 * before, or was halted there and taken up again. */
typedef struct ls_loop_at {
  u32 op;    /* the STEP that is next; where the run was halted; the END */
  u32 swaps; /* bit p: the pair p has changed places */
  u32 flags;
  u32 iterations, last_iteration; /* that are over; the run is halted behind the last one (~0: none) */
  u32 passes[LS_MAX_REPEATS];     /* of inner REPEATs, so far; */
  u32 most_passes;                /* after so many one stands still: the run is halted (~0: no bound) */
  u8 halted, finished;            /* finished: it has come to its END */
} ls_loop_at;

/* What a step of a loop did in one iteration. */
typedef struct ls_ring_entry {
  u16 step, first; /* first: it may contain the loading of its code (a launch by the host) */
  u32 iteration;
  u64 items;
  u64 begin, end; /* ns of the device's clock */
  u64 counts[LS_MAX_COUNTS];
} ls_ring_entry;

#ifdef __CUDACC__
#define LS_SHARED_CODE static __host__ __device__ __forceinline__
#else
#define LS_SHARED_CODE static inline __attribute__((unused))
#endif

/* From operation x->op on to the next step, to the END, or to where the run is halted. var: the values of the FORs'
 * variables. */
LS_SHARED_CODE void ls_to_step(const ls_op *ops, const u32 *limit, ls_loop_at *x, u32 *var) {
  for (;;) {
    const ls_op o = ops[x->op];
    bool again = false; /* is there another pass of a group? */
    u32 next = x->op + 1;
    switch (o.kind) {
    case LS_OP_STEP: return;
    case LS_OP_SWAP: x->swaps ^= 1u << o.at; break;
    case LS_OP_FORGET: x->flags = 0; break;
    case LS_OP_CLEAR:
      x->flags &= ~o.flag;
      x->passes[o.at] = 0;
      break;
    case LS_OP_AGAIN:
      again = x->flags & o.flag;
      x->flags &= ~o.flag;
      if (again && !o.main && ++x->passes[o.at] >= x->most_passes) x->halted = 1;
      break;
    case LS_OP_SKIP:
      if (x->flags & o.flag) break;
      next = o.to;
      x->iterations += o.main;
      break;
    case LS_OP_FOR:
      var[o.at] = 0;
      if (limit[o.at] == 0) next = o.to;
      break;
    case LS_OP_NEXT: again = ++var[o.at] < limit[o.at]; break;
    default: x->finished = 1; return;
    }
    if (again) next = o.to;
    if (o.main && o.kind != LS_OP_SKIP) {
      x->flags = 0;
      x->halted = ++x->iterations >= x->last_iteration && again;
    }
    x->op = next;
    if (x->halted) return;
  }
}

/* What a step has counted, as flags. counted: bit k of its k-th COUNT, is it not zero? */
LS_SHARED_CODE void ls_tell_flags(const ls_count_flags *of_step, u32 counted, ls_loop_at *x) {
  for (int k = 0; k < LS_MAX_COUNTS; k++) {
    const u32 sets = of_step[k].sets, tells = of_step[k].tells;
    if (counted >> k & 1)
      x->flags |= sets | tells;
    else
      x->flags &= ~tells;
  }
}

/* Which of a step's variants the swaps so far make. */
LS_SHARED_CODE u32 ls_variant(const u8 *pair, u32 swaps) {
  u32 variant = 0;
  for (int i = 0; i < LS_STEP_PAIRS; i++)
    if (pair[i] != LS_NO_PAIR) variant |= (swaps >> pair[i] & 1) << i;
  return variant;
}

#endif
