/* A model that was read: its names with what they mean, and its program. */
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
  u32 count;       /* elements: 1 of a scalar */
  const i32 *init; /* [count] */
  dve_range range; /* of all values that it can ever have */
  dve_range next;  /* of use to ranges.c alone */
  u32 field;       /* of element 0; of no use for constants */
  u32 table;       /* of a constant array: where in the code; 0: not there yet */
} dve_variable;

typedef struct dve_channel {
  const char *name;
  u32 at;
  bool typed;
  u32 fields, capacity;
  const bool *is_int;      /* [fields] */
  u32 count;               /* buffered: field of the number of values */
  u32 *slots;              /* [fields]: field of slot 0 */
  dve_range *range, *next; /* [fields] each: of all values that it can ever carry; ranges.c's own */
  const dve_arc *use;      /* the first transition that transmits over it */
} dve_channel;

typedef struct dve_process {
  const char *name;
  u32 at;
  u32 states;
  const char **state; /* their names */
  u32 init, field;    /* field DVE_NONE: it has one state */
  u32 first_variable, variables;
  const dve_body *body;
} dve_process;

typedef struct dve_claim { /* an assertion */
  u32 process, state, code;
  const dve_expr *expr;
} dve_claim;

struct ls_dve {
  int refs;
  dve_text text;
  dve_arena arena;
  dve_file file;
  u32 variable_count, channel_count, claim_count;
  dve_variable *variables; /* the global ones first, then by process */
  dve_channel *channels;
  dve_process *processes; /* program.processes of them */
  dve_claim *claims;
  const dve_arc **arcs; /* of each step */
  u32 *from, *to;       /* of each step: states of its process */
  dve_program program;
  u32 *code;    /* the program's */
  u32 *initial; /* a state */
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

/* Of a name in a process's scope, or in the global one (DVE_NONE), and in no other. */
dve_meaning dve_look_up(const ls_dve *m, u32 scope, const char *name, u32 bytes, u32 *index);

/* names.c: fills variables, channels, processes. */
ls_status dve_find_names(ls_dve *m);
/* "nothing is called 'x' here (did you mean y?)"; scope's names and, where `global`, the global ones. t: the
 * text that the word is in. */
ls_status dve_unknown(const ls_dve *m, const dve_text *t, u32 scope, bool global, dve_word w,
                      const char *what);
/* The value of an expression that is constant, with a constant's or, where `initial`, any variable's first
 * value. False where there is none. */
bool dve_constant(const ls_dve *m, const dve_text *t, u32 scope, const dve_expr *e, bool initial, i32 *value);

/* ranges.c: fills the ranges of variables and channels; narrow = false: by their types alone. */
void dve_find_ranges(ls_dve *m, bool narrow);

/* layout.c: gives every variable, process and buffer its field, and the program its words. */
ls_status dve_lay_out(ls_dve *m);

/* compile.c: lays the state out and fills the program. */
ls_status dve_compile(ls_dve *m);
/* Compiles one expression about states, whose names are global or P.s and P->v, into code of its own
 * (ls_malloc'ed). */
ls_status dve_compile_expr(ls_dve *m, const dve_text *t, const dve_expr *e, u32 **code, u32 *begin);

#endif
