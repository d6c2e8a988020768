/* Compiles a model's equations to bytecode in phases, for many threads: Okuyama 2013, section 5.5.1.
 *
 * One thread runs one bytecode, which computes one variable, or two or three in sequence. The bytecodes of a
 * phase do not depend on each other. Phase number `phases` computes the rates of the states and of time; all
 * phases before it compute functions. If the model has assignments between steps, three phases follow it: the
 * assignments before a step, those after a step (the thesis's special functions, section 5.6.2), and then the
 * variables that a port takes from an assigned one. A variable's value is stored at an index called its
 * place. Without `remap` the place is the variable's number in the model; the parts of split sums (option
 * `sum`) have the places after the variables. Time always has the last place.
 *
 * A unit is a group of threads that share one bytecode. If an operand differs between them, it is in a table,
 * from which each thread takes the element of its lane, that is its number in the unit. */
#ifndef LS_ODE_CODE_H
#define LS_ODE_CODE_H

#include "core/error.h"
#include "ode/code_ops.h"

struct ls_ode;

typedef enum ls_unify {
  LS_UNIFY_NONE,
  LS_UNIFY_WARP, /* the threads of a warp share one bytecode, as in the thesis' interpreter */
  LS_UNIFY_PHASE /* all threads of a phase with the same operators share one, as in the thesis' translator */
} ls_unify;

typedef struct ls_code_options {
  bool fold;      /* expressions of constants and parameters are evaluated at compile time */
  bool sum;       /* sums of n terms, n >= 32, are split into sqrt(n) parts, rounded up */
  bool merge;     /* functions move to earlier phases; a thread computes at most three */
  bool reorder;   /* the threads of a phase are sorted by the length of their bytecodes, then by operators */
  bool redundant; /* threads are added, so that no warp has two kinds of bytecode */
  ls_unify unify;
  bool remap; /* variables are stored in the order in which bytecodes use them */
} ls_code_options;

/* What the warps of a phase do if the threads of a warp advance in lockstep and no jump is taken. In each
 * step a warp issues one instruction for each different operator of its threads. */
typedef struct ls_code_counts {
  u64 threads, redundant, warps;
  u64 kinds;        /* different sequences of operators */
  u64 instructions; /* of the threads that are not redundant */
  u64 steps;        /* sum over warps of the instructions of the longest thread */
  u64 issued;       /* instructions issued by warps */
  u64 divergent;    /* steps in which threads of a warp had different operators */
  u64 requests;     /* memory requests of warps, for instructions and operands */
  u64 sectors;      /* 32-byte sectors that these requests touch */
} ls_code_counts;

/* The phases of assignments between steps, as distances from the phase of the states. */
typedef enum ls_jump_phase {
  LS_JUMPS_BEFORE =
      1,          /* their values go to the second copy of the variables, so that all are computed first */
  LS_JUMPS_AFTER, /* likewise */
  LS_JUMPS_PORTS,
  LS_JUMP_PHASES = LS_JUMPS_PORTS
} ls_jump_phase;

typedef struct ls_code {
  const struct ls_ode *m;
  u32 vars;    /* number of places: the model's variables, parts of sums, time */
  u32 phases;  /* phases of functions; phase number `phases` computes the rates of the states */
  u32 threads; /* of all phases */
  u32 widest;  /* threads of the widest phase, not counting assignments between steps */
  u32 jumps;   /* threads of the widest phase of assignments between steps; 0: the model has none */
  u32 stack;   /* maximum number of values on the stack */
  u32 *first;  /* [phases + 2 + LS_JUMP_PHASES]: the threads of phase p are first[p] .. first[p + 1] - 1 */
  u32 *index;  /* [threads]: offset of its bytecode; with LS_CODE_MUTE if it is redundant */
  u32 *lane;   /* [threads]: its number in its unit */
  u32 *unit;   /* [threads]: how many threads its unit has */
  u32 words, constants, operands;
  u64 *codes;                   /* [words] */
  f64 *numbers;                 /* [constants] */
  u32 *places;                  /* [operands] */
  u32 *place;                   /* [vars]: the place of each variable, part of a split sum, and time */
  u32 *at;                      /* [vars]: the inverse of `place` */
  u32 events, assigns, delayed; /* number of events, of their assignments, and of delayed variables */
  u32 *event;                   /* [events][LS_CODE_EVENT_WORDS] */
  u32 *assign;                  /* [assigns][2] */
  u32 assigned, early;          /* assignments between steps; the first `early` are made before a step */
  u32 *jump;                    /* [assigned][2]: the place, and whether it is a state's */
  u32 *past_of;                 /* [delayed]: places of the delayed variables */
  bool random;                  /* random numbers are used */
  u32 longest;                  /* instructions of the longest thread, including END */
  ls_code_counts *counts;       /* [ls_code_phases] */
  u64 serial;                   /* number of the compilation, which increases */
} ls_code;

/* The number of all phases, some of which may be empty if the model has assignments between steps. */
static inline u32 ls_code_phases(const ls_code *c) {
  return c->phases + 1 + (c->assigned ? (u32)LS_JUMP_PHASES : 0);
}

/* Compiles a model. `first` has the initial values of all variables if option `fold` is set; else it is NULL.
 * LS_EINPUT if the model needs what the bytecode does not support (time series, values of the previous step);
 * the message names it. *out must be freed also after a failure. */
ls_status ls_code_compile(struct ls_ode *m, const f64 *first, const ls_code_options *o, ls_code *out);
void ls_code_free(ls_code *c);

const char *ls_code_name(ls_code_op op); /* "PLUS_NARY" */
/* The name of a phase: "phase 1", "states", "before", "after" or "ports". */
void ls_code_phase_name(const ls_code *c, u32 phase, char *out, size_t bytes);
/* The name of the variable at a place, or "part 0 of a sum", or "time". */
void ls_code_place_name(const ls_code *c, u32 place, char *out, size_t bytes);

#endif
