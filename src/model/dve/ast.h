/* Syntax tree of a DVE model. Names are still words of the text: names.c and compile.c look them up. */
#ifndef LS_MODEL_DVE_AST_H
#define LS_MODEL_DVE_AST_H

#include "model/dve/lex.h"

typedef enum dve_op {
  DVE_E_NUMBER,  /* value */
  DVE_E_NAME,    /* name */
  DVE_E_INDEX,   /* name[a] */
  DVE_E_IN,      /* of.name: is process `of` in state `name`? */
  DVE_E_FOREIGN, /* of->name, or of->name[a]: a variable of process `of` */
  DVE_E_NEGATE,
  DVE_E_INVERT,
  DVE_E_NOT,
  DVE_E_IMPLY, /* from here on: two operands */
  DVE_E_OR,
  DVE_E_AND,
  DVE_E_BIT_OR,
  DVE_E_BIT_AND,
  DVE_E_BIT_XOR,
  DVE_E_EQUAL,
  DVE_E_UNEQUAL,
  DVE_E_LESS,
  DVE_E_AT_MOST,
  DVE_E_MORE,
  DVE_E_AT_LEAST,
  DVE_E_LEFT,
  DVE_E_RIGHT,
  DVE_E_PLUS,
  DVE_E_MINUS,
  DVE_E_TIMES,
  DVE_E_DIVIDE,
  DVE_E_REMAINDER,
} dve_op;

typedef struct dve_expr {
  dve_op op;
  u32 at, depth; /* position in the text; height of the expression tree, 1 for a leaf */
  dve_word all;  /* the expression's text, without surrounding parentheses */
  i32 value;
  dve_word name, of;
  struct dve_expr *a, *b;
  struct dve_expr *next; /* in a list */
} dve_expr;

typedef struct dve_declared { /* a variable */
  dve_word name;
  bool constant, is_int, is_array;
  i32 count;      /* length of an array */
  dve_expr *init; /* a list; NULL: zeros */
  struct dve_declared *next;
} dve_declared;

typedef struct dve_pipe { /* a channel */
  dve_word name;
  bool typed;
  u32 fields;   /* values per message of a typed channel */
  bool *is_int; /* [fields] */
  i32 capacity; /* 0: rendezvous */
  struct dve_pipe *next;
} dve_pipe;

typedef struct dve_name { /* in a list */
  dve_word word;
  struct dve_name *next;
} dve_name;

typedef struct dve_effect {
  dve_expr *target, *value;
  struct dve_effect *next;
} dve_effect;

typedef struct dve_arc { /* a transition */
  u32 at;
  dve_word from, to;
  dve_expr *guard; /* NULL: true */
  char sync;       /* '!': sends, '?': receives, 0: neither */
  dve_word channel;
  dve_expr *items; /* a list */
  u32 item_count;
  dve_effect *effects;
  dve_expr *cost, *time; /* NULL: cost 0, time 1 */
  struct dve_arc *next;
} dve_arc;

typedef struct dve_assertion {
  dve_word state;
  dve_expr *expr;
  struct dve_assertion *next;
} dve_assertion;

typedef struct dve_body { /* a process */
  dve_word name;
  dve_declared *variables;
  dve_name *states, *commits, *accepts;
  dve_word init; /* init.bytes = 0: none */
  dve_assertion *assertions;
  dve_arc *arcs;
  struct dve_body *next;
} dve_body;

typedef struct dve_file {
  dve_declared *variables;
  dve_pipe *channels;
  dve_body *bodies;
  bool synchronous;
  dve_word property; /* property.bytes = 0: none */
} dve_file;

/* Parses a whole model. LS_EINPUT at the first error. */
ls_status dve_parse_file(const dve_text *t, dve_arena *arena, dve_file *out);
/* Parses one expression, which must be the whole text. */
ls_status dve_parse_expr(const dve_text *t, dve_arena *arena, dve_expr **out);

#endif
