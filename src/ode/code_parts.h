/* Shared by the files of the bytecode compiler: the draft. */
#ifndef LS_ODE_CODE_PARTS_H
#define LS_ODE_CODE_PARTS_H

#include "ode/code.h"
#include "ode/model.h"

/* A thread's bytecode in the draft, where operands are numbers of variables, not yet places. */
typedef struct ls_draft_thread {
  u32 phase, at, length; /* at: offset in codes; length: instructions, including END */
  u32 kind;              /* set by code_arrange.c: equal for threads with the same operators */
} ls_draft_thread;

typedef struct ls_draft {
  u32 vars, phases, threads, stack;
  u32 words, room, constants, number_room;
  ls_draft_thread *thread; /* [threads], phase by phase */
  u64 *codes;
  f64 *numbers;
  u32 delayed; /* number of variables whose past is used */
  u32 *past;   /* [delayed] */
  bool random;
  u32 assigned, early; /* as in ls_code */
  u32 *jump;           /* [assigned]: numbers of the model's jumps */
  u32 values; /* threads after those of the states, for expressions of events: for each event its trigger, its
                 delay and priority if it has them, and its values */
} ls_draft;

ls_status ls_code_draft(ls_ode *m, const f64 *first, const ls_code_options *o,
                        ls_draft *out); /* code_draft.c */
void ls_draft_free(ls_draft *d);
/* code_emit.c: appends the bytecode of `variable = t`. */
ls_status ls_code_emit(ls_draft *d, const ls_term *t, u32 variable);
ls_status ls_code_end(ls_draft *d);
bool ls_code_folds(const ls_term *t, f64 *out); /* true: t is a constant expression with value *out */
ls_status ls_code_count(ls_code *c);            /* code_count.c: fills counts */

/* Must two bytecodes of one kind also agree in the operand of this operator? This holds for jumps and counts.
 */
static inline bool ls_code_structural(u32 op) {
  return op == LS_CODE_JUMP || op == LS_CODE_JUMP_IF_NOT || ls_code_is_many(op);
}

#endif
