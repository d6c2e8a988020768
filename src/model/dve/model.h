/* A compiled model: its syntax tree, its symbols (variables, channels, processes) and its program. */
#ifndef LS_MODEL_DVE_MODEL_H
#define LS_MODEL_DVE_MODEL_H

#include "model/dve/ast.h"
#include "model/dve/code.h"
#include "model/dve/dve.h"

typedef struct dve_range {
  i64 low, high;
} dve_range;

typedef struct dve_variable {
  const char *name;
  u32 at;
  u32 process; /* DVE_NONE: global */
  bool constant, is_int, is_array;
  u32 count;       /* elements; 1 for a scalar */
  const i32 *init; /* [count] */
  dve_range range; /* contains all values that the variable can take */
  dve_range next;  /* only for intervals.c */
  u32 field;       /* field of element 0; unused for constants */
  u32 table;       /* offset of a constant array in the code */
} dve_variable;

typedef struct dve_channel {
  const char *name;
  u32 at;
  bool typed;
  u32 fields, capacity;
  const bool *is_int; /* [fields] */
  u32 count;          /* if buffered: field that holds the number of messages in the buffer */
  u32 *slots;         /* [fields]: field of the buffer's slot 0 */
  dve_range *range,
      *next;          /* [fields] each: contain all values that it can carry; next: only for intervals.c */
  const dve_arc *use; /* the first transition that sends or receives over it */
} dve_channel;

typedef struct dve_process {
  const char *name;
  u32 at;
  u32 states;
  const char **state; /* [states]: their names */
  u32 init, field;    /* initial state; field of the current state, DVE_NONE if there is only one state */
  u32 first_variable, variables;
  const dve_body *body;
} dve_process;

typedef struct dve_claim { /* an assertion */
  u32 process, state, code;
  const dve_expr *expr;
} dve_claim;

typedef struct dve_risk { /* an operation of the code that may fail (why.c) */
  u32 pc;
  const dve_expr *e;
  const dve_variable *v; /* the variable that it reads or assigns to; NULL: it divides */
  struct dve_risk *next;
} dve_risk;

struct ls_dve {
  int refs;
  dve_text text;
  dve_arena arena;
  dve_file file;
  u32 variable_count, channel_count, claim_count;
  dve_variable *variables; /* global ones first, then grouped by process */
  dve_channel *channels;
  dve_process *processes; /* program.processes of them */
  dve_claim *claims;
  dve_risk *risks;
  const dve_arc **arcs; /* [program.step_count]: the syntax tree of each transition */
  u32 *from, *to;       /* [program.step_count]: state numbers of the source and the target */
  dve_program program;
  u32 *code;    /* owns program.code */
  u32 *initial; /* the initial state */
  u32 bits;     /* of a state, without those that belong to no field */
  struct dve_names *names;
};

/* What a name means. */
typedef enum dve_meaning {
  DVE_NOTHING,
  DVE_IS_VARIABLE,
  DVE_IS_CHANNEL,
  DVE_IS_PROCESS,
  DVE_IS_STATE
} dve_meaning;

/* Looks a name up in one scope only: that of a process, or the global one (DVE_NONE). *index: its index in
 * variables, channels or processes, or the number of the state. */
dve_meaning dve_look_up(const ls_dve *m, u32 scope, const char *name, u32 bytes, u32 *index);

/* Looks up the variable's name in an expression x, x[i], P->x or P->x[i]: in the process *scope and then
 * globally, or in P, which *scope becomes. DVE_NOTHING also if P is not a process. */
dve_meaning dve_meaning_of(const ls_dve *m, const dve_text *t, u32 *scope, const dve_expr *e, u32 *index);

/* names.c: fills variables, channels, processes. */
ls_status dve_find_names(ls_dve *m);
/* Fails with "WHAT 'x' is not declared (did you mean y?)", where y is a name of the scope or, if `global`, a
 * global one. t: the text that contains w. */
ls_status dve_unknown(const ls_dve *m, const dve_text *t, u32 scope, bool global, dve_word w,
                      const char *what);
/* The value of a constant expression, which may use constants and, if `initial`, the initial values of all
 * variables. False if the expression is not constant or its evaluation fails. */
bool dve_constant(const ls_dve *m, const dve_text *t, u32 scope, const dve_expr *e, bool initial, i32 *value);

/* intervals.c: fills the ranges of variables and channels; narrow = false: with the ranges of their types. */
void dve_find_ranges(ls_dve *m, bool narrow);

/* layout.c: assigns a field to every variable, process and buffer, and sets program.words. */
ls_status dve_lay_out(ls_dve *m);

/* compile.c: lays the state out and fills the program. */
ls_status dve_compile(ls_dve *m);
/* Compiles an expression over states (globals, P.s and P->v). *code, from ls_malloc, is separate from the
 * model's; the expression begins at *begin. */
ls_status dve_compile_expr(ls_dve *m, const dve_text *t, const dve_expr *e, u32 **code, u32 *begin);

#endif
