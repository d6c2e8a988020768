/* Between the parts of the compiler of bytecode: the draft. */
#ifndef LS_MODEL_CODE_PARTS_H
#define LS_MODEL_CODE_PARTS_H

#include "model/ode/code.h"
#include "model/ode/ode.h"

/* A thread's bytecode before it has its place in memory: its operands name variables. */
typedef struct ls_draft_thread {
  u32 phase, at, length; /* instructions, with END */
  u32 kind;              /* by code_arrange.c: of two threads the same, if their operators are */
} ls_draft_thread;

typedef struct ls_draft {
  u32 vars, phases, threads, stack, room;
  u32 words, constants;
  ls_draft_thread *thread; /* [threads], phase by phase */
  u64 *codes;
  f64 *numbers;
  u32 delayed; /* variables of which the past is asked for */
  u32 *past;   /* [delayed] */
  bool random;
  u32 values; /* threads behind the states: parts of events, event by event: trigger, delay and priority where
                 there are, values */
} ls_draft;

ls_status ls_code_draft(ls_ode *m, const f64 *first, const ls_code_options *o,
                        ls_draft *out); /* code_draft.c */
void ls_draft_free(ls_draft *d);
/* code_emit.c: the bytecode of `variable = t`, appended. */
ls_status ls_code_emit(ls_draft *d, const ls_term *t, u32 variable);
ls_status ls_code_end(ls_draft *d);
bool ls_code_folds(const ls_term *t, f64 *out); /* is it a number, once it is computed? */
ls_status ls_code_count(ls_code *c);            /* code_count.c: fills counts */

/* Has the operator an operand that belongs to the sequence of operators? Jumps and counts do. */
static inline bool ls_code_structural(u32 op) {
  return op == LS_CODE_JUMP || op == LS_CODE_JUMP_IF_NOT ||
         (op >= LS_CODE_PLUS_NARY && op <= LS_CODE_XOR_NARY);
}

#endif
