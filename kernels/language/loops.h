/* A compiled loop: a list of operations, and the state of a run. After a step, ls_tell_flags records which of its COUNTs are
 * not zero, and ls_to_step executes operations up to the next step. The same code runs on the CPU, on the host that launches
 * a device's steps, and within a persistent CUDA kernel. (Stepping at the prompt interprets the words of the loop instead:
 * lua/base/loops.lua.)
 *
 * A pair is two buffers that a SWAP exchanges. A flag records whether the steps with a certain COUNT have counted anything. */
#ifndef LOOPS_H
#define LOOPS_H

#include "core/types.h"

enum {
  LS_MAX_STEPS = 32,
  LS_MAX_PAIRS = 8,
  LS_MAX_VARS = 4,
  LS_MAX_OPS = 96,
  LS_MAX_COUNTS = 4,                     /* per row, including the driver's own */
  LS_MAX_FILLED = 4,                     /* queues that a row fills */
  LS_STEP_PAIRS = 4,                     /* pairs among the arguments of one step */
  LS_VARIANTS = 1 << LS_STEP_PAIRS,      /* argument sets of a step: each of its pairs is swapped or not */
  LS_MAX_REPEATS = 4,                    /* nesting depth of REPEATs */
  LS_NO_PAIR = 0xff
};

typedef enum ls_op_kind {
  LS_OP_STEP,  /* run step `at`; if `to` is not 0, together with the next step */
  LS_OP_SWAP,  /* exchange the buffers of pair `at` */
  LS_OP_FORGET, /* end of ONCE: clear all flags */
  LS_OP_CLEAR,  /* begin of a REPEAT at nesting depth `at`: clear `flag` and the number of passes */
  LS_OP_AGAIN,  /* end of a REPEAT: if `flag` is set, jump to `to` for another pass */
  LS_OP_SKIP,   /* jump to `to` if `flag` is not set */
  LS_OP_FOR,    /* set variable `at` to 0; jump to `to` if its limit is 0 */
  LS_OP_NEXT,   /* increment variable `at`; jump to `to` if it is below its limit */
  LS_OP_END
} ls_op_kind;

typedef struct ls_op {
  u8 kind, at;
  u8 to;
  u8 main; /* AGAIN, NEXT, or a SKIP out of the loop: it ends an iteration of the loop */
  u32 flag;
} ls_op;

/* How a COUNT of a step changes the flags. If it is not zero, it sets the flags in `sets` and in `tells`; if it is zero, it
 * clears those in `tells`. */
typedef struct ls_count_flags {
  u32 sets, tells;
} ls_count_flags;

typedef struct ls_loop_code {
  ls_op op[LS_MAX_OPS];
  ls_count_flags flags[LS_MAX_STEPS][LS_MAX_COUNTS];
  u8 begun_at;     /* the first operation if ONCE is left out */
  u8 main_var;     /* the variable of an outermost FOR, plus 1; 0 if there is none */
  u8 has_main;     /* an iteration is one pass of an outermost REPEAT or FOR; if 0, it is the loop as a whole */
  u8 has_inner;    /* is there a REPEAT within an iteration? max_repeats limits its passes */
  u32 alone;       /* bit s: apart from SWAPs, the REPEAT of step s contains only this step (or the TOGETHER of this step) */
} ls_loop_code;

/* The state of a run. Flags are cleared at the end of each iteration, so that the next one runs the same whether it follows
 * directly or after the run was halted and resumed. */
typedef struct ls_loop_at {
  u32 op;    /* the operation to run next: a STEP, the END, or where the run was halted */
  u32 swaps; /* bit p: pair p is swapped */
  u32 flags;
  u32 iterations, last_iteration; /* completed iterations; the run halts when they reach last_iteration (~0: never) */
  u32 passes[LS_MAX_REPEATS];     /* passes so far of the inner REPEAT at each depth */
  u32 most_passes;                /* the run halts when an inner REPEAT has made this many (~0: never) */
  u8 halted, finished;            /* finished: the run has reached END */
} ls_loop_at;

/* A trace record: one execution of a step. */
typedef struct ls_ring_entry {
  u16 step, first; /* first: the time may include loading the code (a launch by the host) */
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

/* Executes operations from x->op on, up to the next STEP, the END, or the point where the run is halted. var: values of the
 * FOR variables; limit: their upper bounds. */
LS_SHARED_CODE void ls_to_step(const ls_op *ops, const u32 *limit, ls_loop_at *x, u32 *var) {
  for (;;) {
    const ls_op o = ops[x->op];
    bool again = false; /* is there another pass of the REPEAT or FOR? */
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

/* Updates the flags after a step. Bit k of counted: the step's k-th COUNT is not zero. */
LS_SHARED_CODE void ls_tell_flags(const ls_count_flags *of_step, u32 counted, ls_loop_at *x) {
  for (int k = 0; k < LS_MAX_COUNTS; k++) {
    const u32 sets = of_step[k].sets, tells = of_step[k].tells;
    if (counted >> k & 1)
      x->flags |= sets | tells;
    else
      x->flags &= ~tells;
  }
}

/* The index of a step's argument set, given the pairs that are swapped. pair: the step's pairs. */
LS_SHARED_CODE u32 ls_variant(const u8 *pair, u32 swaps) {
  u32 variant = 0;
  for (int i = 0; i < LS_STEP_PAIRS; i++)
    if (pair[i] != LS_NO_PAIR) variant |= (swaps >> pair[i] & 1) << i;
  return variant;
}

#endif
