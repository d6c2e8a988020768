/* A model's equations as bytecode in phases, for many threads: Okuyama 2013, section 5.5.1.
 *
 * A bytecode computes one variable, or up to three one after the other, and is a thread's work. The bytecodes
 * of a phase need nothing of each other. The last phase computes the rates of the states, and of time; all
 * phases before it compute functions. Variables live at places: where they are numbered as in the model, a
 * variable's place is its number. Behind them stand the parts of sums that were split, and time as the last.
 */
#ifndef LS_MODEL_CODE_H
#define LS_MODEL_CODE_H

#include "core/error.h"
#include "model/ode/code_ops.h"

struct ls_ode;

typedef enum ls_unify {
  LS_UNIFY_NONE,
  LS_UNIFY_WARP, /* one bytecode for the threads of a warp, as the thesis' interpreter has it */
  LS_UNIFY_PHASE /* one for all alike in a phase, as its translator has it */
} ls_unify;

typedef struct ls_code_options {
  bool fold;      /* what only depends on constants and parameters is computed now */
  bool sum;       /* sums of 32 variables or more are split into 32 parts */
  bool merge;     /* functions are shifted into earlier phases: at most three a thread */
  bool reorder;   /* bytecodes are sorted by length, and then by their operators */
  bool redundant; /* threads are added, so that no warp has two kinds of bytecode */
  ls_unify unify;
  bool remap; /* variables are stored in the order in which bytecodes name them */
} ls_code_options;

/* What the warps of a phase do if all its threads go forward together, those of one operator at a time, and
 * no jump is taken. */
typedef struct ls_code_counts {
  u64 threads, redundant, warps;
  u64 kinds;        /* different sequences of operators */
  u64 instructions; /* of the threads that are not redundant */
  u64 steps;        /* of warps: instructions of the longest thread of each */
  u64 issued;       /* by warps: in a step, one for each different operator */
  u64 divergent;    /* steps in which threads of a warp had different operators */
  u64 requests;     /* for memory, by warps: for instructions and operands */
  u64 sectors;      /* of 32 bytes, that these touch */
} ls_code_counts;

typedef struct ls_code {
  const struct ls_ode *m;
  u32 vars;    /* places: those of the model's variables, of parts, of time */
  u32 phases;  /* of functions; the states are the phase `phases` */
  u32 threads; /* of all phases */
  u32 widest;  /* threads of the widest phase */
  u32 stack;   /* values on the stack at most */
  u32 *first;  /* [phases + 2]: the threads of phase p are first[p] .. first[p + 1] - 1 */
  u32 *index;  /* [threads]: where its bytecode begins; with LS_CODE_MUTE if it is redundant */
  u32 *lane;   /* [threads]: which one of its unit it is */
  u32 *unit;   /* [threads]: how many threads its unit has; 1: it stands alone */
  u32 words, constants, operands;
  u64 *codes;                   /* [words] */
  f64 *numbers;                 /* [constants] */
  u32 *places;                  /* [operands] */
  u32 *place;                   /* [vars]: of the variable, part or time */
  u32 *at;                      /* [vars]: which of those is at a place */
  u32 events, assigns, delayed; /* what the model has of them, besides its equations */
  u32 *event;                   /* [events][LS_CODE_EVENT_WORDS] */
  u32 *assign;                  /* [assigns][2] */
  u32 *past_of;                 /* [delayed]: places */
  bool random;
  u32 longest;            /* instructions of the longest thread, with END */
  ls_code_counts *counts; /* [phases + 1] */
  u64 serial;             /* the later it was compiled, the greater */
} ls_code;

/* Compiles a model. `first`: all variables' first values, for `fold`; else NULL. LS_EINPUT names what the
 * bytecode has not: delays, events, jumps, random numbers, time series. out is to be freed whatever comes
 * back. */
ls_status ls_code_compile(struct ls_ode *m, const f64 *first, const ls_code_options *o, ls_code *out);
void ls_code_free(ls_code *c);

const char *ls_code_name(ls_code_op op); /* "PLUS_NARY" */
/* The name of the variable at a place, "part 0 of a sum", "time". */
void ls_code_place_name(const ls_code *c, u32 place, char *out, size_t bytes);

#endif
