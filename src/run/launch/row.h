/* Rows: the description of every primitive in kernels/FAMILY/FAMILY.def, at run time.
 *
 * One row gives the argument struct of the body, the Lua binding, help, completion, synchronisation,
 * `compare`, and the row's timing statistics. The table is generated (see cmake/generate_rows.c). */
#ifndef LS_RUN_ROW_H
#define LS_RUN_ROW_H

#include "core/error.h"
#include "core/types.h"
#include "data/contract.h"
#include "language/domains.h"
#include "language/loops.h"
#include "run/devices/device.h"

enum {
  LS_MAX_ARGS = 60,
  LS_MAX_SUMS = 12, /* COUNTs of a loop: those of its steps, one for each name */
  LS_MAX_FIELDS = 40
};
/* Maximum number of items of a queue with a 32-bit length. Less than 2^32, because all threads of a device
 * may add to the length at the same time. */
#define LS_MAX_ROOM 0xff000000u

/* Sets of element types, which rows and states name: X(name, bits). Bit t: it has element type t. */
#define LS_SETS_OF_TYPES(X)                                                                                  \
  X(UNTYPED, 1u << LS_NONE)                                                                                  \
  X(FOR_W, 1u << LS_I32 | 1u << LS_I64 | 1u << LS_F32 | 1u << LS_F64)                                        \
  X(FOR_DENSE, TYPES_FOR_W | 1u << LS_I16)                                                                   \
  X(FOR_NARROW, 1u << LS_I32 | 1u << LS_F32)                                                                 \
  X(FOR_SUM, 1u << LS_I64 | 1u << LS_F64)                                                                    \
  X(FOR_SORT, TYPES_FOR_W | 1u << LS_U8 | 1u << LS_U32 | 1u << LS_U64)                                       \
  X(FOR_ALL, TYPES_FOR_SORT | 1u << LS_U16 | 1u << LS_I16)
enum {
#define TYPES(name, bits) TYPES_##name = bits,
  LS_SETS_OF_TYPES(TYPES)
#undef TYPES
};

typedef enum ls_role {
  LS_IN,    /* read; never written while the kernel runs */
  LS_OFF,   /* read: row offsets, by which an EDGES domain finds a vertex's edges */
  LS_START, /* read: instead of OFF: where the edges of each vertex begin, */
  LS_END,   /* and where they end */
  LS_INOUT, /* read and written */
  LS_OUT,   /* written completely (a queue: its length and items); the old contents are not read */
  LS_QIN,   /* the queue whose items are the domain; element 0 is its length */
  LS_QOUT,  /* a queue that is filled from empty: it is emptied before the launch */
  LS_QMORE, /* a queue that is appended to */
  LS_VALUE, /* a scalar */
  LS_COUNT, /* summed over the launch and returned */
} ls_role;

/* The families' contracts follow the general ones. Only their names are included, so that kernels are not
 * recompiled when other lines of a FAMILY.def change. */
enum {
  LS_CONTRACT_FAMILIES = LS_CONTRACT_GENERAL - 1,
#include "family_contracts.h"
  LS_CONTRACTS
};
bool ls_contract_find(const char *name, ls_contract *out); /* by name; false: there is no such contract */

/* How `compare` compares outputs of two devices: the rule of a row, or of an argument that has its own. */
typedef enum ls_agree {
  LS_AS_ROW,    /* of an argument: by the row's rule */
  LS_EXACT,     /* equal, element by element; queues as sets */
  LS_FIXPOINT,  /* equal once the fixpoint is reached; in between they may differ */
  LS_TOLERANCE, /* reals: |a - b| <= absolute + relative * max(|a|, |b|); rows: 1e-5 (f32), 1e-12 (f64) */
  LS_TIE,       /* the choice among several right answers may differ: not compared by value */
} ls_agree;

typedef struct ls_arg {
  ls_role role;
  ls_dtype type; /* LS_W: the row's element type */
  const char *name;
  const char *extent;   /* elements, in terms of n, m and other sizes: "n+1", "n*n", "1" */
  ls_contract contract; /* allowed values of an element, on which the body relies (language/contracts.def) */
  const char *bound;    /* the size that is the contract's bound; NULL: none */
  bool ahead;           /* of a QOUT: a loop may begin the next layer before this one ends (role QAHEAD) */
  bool lost;            /* of a COUNT: it counts items that had no room in the row's queues (role LOST) */
  bool wide;            /* of a queue: items of 16 bytes, two elements each */
  ls_agree agree;
  f64 relative, absolute; /* of LS_TOLERANCE */
} ls_arg;

static inline bool ls_arg_is_queue(const ls_arg *arg) {
  return arg->role == LS_QIN || arg->role == LS_QOUT || arg->role == LS_QMORE;
}

/* Is the argument's value also a size, which has the argument's name? True of a VALUE of an unsigned type or
 * of the element type. */
static inline bool ls_arg_is_size(const ls_arg *arg) {
  return arg->role == LS_VALUE && (arg->type <= LS_U64 || arg->type == LS_W);
}

/* Number of items that fit into a queue of `elements` elements; the first item's place holds the length. */
static inline u64 ls_queue_room(const ls_arg *arg, u64 elements) {
  const u64 room = (arg->wide ? elements / 2 : elements) - 1;
  return arg->type == LS_U32 && room > LS_MAX_ROOM ? LS_MAX_ROOM : room;
}

/* The kinds of lines of a loop's source, LOOP ... END_LOOP in FAMILY.def: X(word, names in parentheses; -1: a
 * row and its bindings). a and b of ls_loop_word are these names. */
#define LS_LOOP_WORDS(X)                                                                                     \
  X(STEP, -1) /* a: the row; b: the step's own bindings, "front=near backward=1 " */                         \
  X(SWAP, 2)  /* a and b are exchanged */                                                                    \
  X(ONCE, 0)  /* skipped if the loop has begun before */                                                     \
  X(END_ONCE, 0)                                                                                             \
  X(REPEAT, 0)                                                                                               \
  X(UNTIL, 1) /* a: a COUNT; the REPEAT ends after a pass in which it was always zero */                     \
  X(IF, 1)    /* a: a COUNT; condition: it was not zero in the last step that counts it */                   \
  X(END_IF, 0)                                                                                               \
  X(FOR, 2) /* a: a VALUE of the steps, which counts 0, 1, ...; b: a size, its exclusive upper limit */      \
  X(END_FOR, 0)                                                                                              \
  X(TOGETHER, 0) /* the two steps in it run in parallel */                                                   \
  X(END_TOGETHER, 0)                                                                                         \
  X(LEAVE_IF_NONE, 1) /* a: a COUNT; if it is zero, the innermost REPEAT or FOR, else the loop, ends */
typedef enum ls_loop_word_kind {
  LS_WORD_END,
#define WORD(name, names) LS_WORD_##name,
  LS_LOOP_WORDS(WORD)
#undef WORD
} ls_loop_word_kind;

typedef struct ls_loop_word {
  ls_loop_word_kind kind;
  const char *a, *b;
} ls_loop_word;

/* A step of a loop. */
typedef struct ls_step {
  const struct ls_prim *prim;
  u8 arg[LS_MAX_ARGS];    /* [i]: the loop's argument for the step's i-th; or LS_CONSTANT, LS_VARIABLE + k */
  u32 value[LS_MAX_ARGS]; /* value of a LS_CONSTANT */
  u8 pair[LS_STEP_PAIRS]; /* the swapped pairs of which it uses a member; LS_NO_PAIR: none */
} ls_step;
enum { LS_CONSTANT = 0xff, LS_VARIABLE = 0xf0 };

/* A loop row, compiled from its words when the program starts (run/loop.c). */
typedef struct ls_loop {
  const ls_loop_word *words;
  int nwords;
  int nsteps, npairs, nvars;
  ls_step step[LS_MAX_STEPS];
  u8 pair[LS_MAX_PAIRS][2]; /* arguments that are swapped */
  const char *limit[LS_MAX_VARS], *var[LS_MAX_VARS];
  ls_loop_code code;
} ls_loop;

struct ls_launch;
typedef ls_status (*ls_launch_fn)(struct ls_launch *);

/* Which tiles of a square matrix a row writes in stage k of a blocked algorithm: TILED(row, PIVOT) in a
 * .def. */
typedef enum ls_tiles {
  LS_TILES_NONE,
  LS_TILES_PIVOT, /* the k-th diagonal tile */
  LS_TILES_CROSS, /* the other tiles of the k-th row and column of tiles */
  LS_TILES_REST,  /* all tiles except these */
  /* Of an upper triangular matrix: the tiles right of the pivot, the tiles above the pivot, and the tiles
   * both above and right of the pivot. */
  LS_TILES_UPPER,
  LS_TILES_STEP, /* all tiles; k is a vertex, and the pivot is the diagonal tile of 32 x 32 that contains k */
  /* The tiles of rows i .. i + rows - 1 and columns j .. j + cols - 1, updated by a product over k .. k +
   * deep - 1. All these numbers are in elements; a tile has `tile` rows and columns. */
  LS_TILES_PART
} ls_tiles;

typedef struct ls_prim {
  const char *name;
  const char *doc; /* first line: the signature's summary; then shapes, errors, source */
  const char *family;
  const char *source; /* kernels/FAMILY/NAME.h, for ??NAME; NULL: a loop, whose source is its words */
  ls_domain domain;
  const char *items; /* the domain's size: an expression, or "queue" for the QIN's length */
  ls_agree agree;
  /* The cost model: bytes touched, e.g. "4*n + 8*settled", an expression of sizes, items, edges and counts;
   * and irregular accesses, at places that depend on data. "": unknown. at_most: only an upper bound, because
   * no COUNT gives the exact amount. */
  const char *bytes, *gathers;
  bool bytes_at_most, gathers_at_most;
  const char *operations; /* likewise: updates c = min(c, a + b), or equivalents; NULL: unknown */
  const ls_arg *args;
  int nargs;    /* including COUNTs, in the order given */
  u64 writes;   /* bit i: elements of argument i may change, in a loop also by swaps */
  u64 reads[2]; /* bit i: the old elements of argument i are used; [true]: by a loop that has begun before */
  u64 makes[2]; /* bit i: all its elements are overwritten; by a loop: within an iteration */
  u64 begins;   /* bit i: a loop writes all of them before its first iteration */
  u64 first;    /* bit i: a loop's first step writes all of them, whether it has begun before or not */
  u32 types;    /* bit t: there is a body for element type t; bit LS_NONE: untyped */
  ls_launch_fn run[2][LS_NONE + 1]; /* by processor and element type; NULL: none */

  ls_tiles tiles;              /* tiles of a matrix that it writes, for the panel's view of them */
  ls_loop *loop;               /* LOOP rows only */
  struct ls_prim *newer;       /* the row that has replaced it under its name; NULL: it is current */
  struct ls_kernel_text *text; /* the source from which it is compiled at run time; NULL: built in */
} ls_prim;

bool ls_prim_exchanges(const ls_prim *p); /* does it exchange data with other ranks? */

int ls_prims(void);
ls_prim *ls_prim_at(int i);
ls_prim *ls_prim_find(const char *name); /* the current row of that name; NULL: none */

/* Rows and loops that are made at run time. ls_prim_make completes one; LS_EARG says what is wrong.
 * ls_prim_register makes it the current row of its name: it replaces an earlier row from the next call on,
 * but code that holds the earlier row keeps it. A registered row must live as long as the process.
 * ls_prim_add makes, checks and registers one whose name is new. */
ls_status ls_prim_add(ls_prim *p);
ls_status ls_prim_make(ls_prim *p);
ls_status ls_prim_register(ls_prim *p);
void ls_prim_take_back(ls_prim *p, ls_prim *old); /* restores the earlier one; NULL: there was none */
bool ls_prim_shipped(const ls_prim *p);           /* is it built in? */
ls_prim *ls_prim_shipped_find(const char *name);  /* the built-in row of that name; NULL: none */

const char *ls_domain_name(ls_domain d);   /* "edges of vertices" */
const char *ls_domain_thread(ls_domain d); /* "an edge of a vertex that the row selects" */
bool ls_domain_walks(ls_domain d);         /* does its driver count the edges that are walked? */
/* May a call choose the threads per block on CUDA? Only if each thread, or block, has one item of the domain;
 * for a loop, in all of its steps. Never for a row of a library. */
bool ls_prim_has_block(const ls_prim *p);

int ls_arg_find(const ls_prim *p, const char *name); /* index in args; -1: none */

/* What a call writes and reads. All code decides by these functions whether a buffer may be written or passed
 * twice, what it must hold, and what is recorded and compared. */
static inline bool ls_arg_written(const ls_prim *p, int i) { return p->writes >> i & 1; }
static inline bool ls_arg_read(const ls_prim *p, int i, bool begun) { return p->reads[begun] >> i & 1; }

/* A schema: the named buffers on which an algorithm works: SCHEMA in kernels/FAMILY/FAMILY.def. */
typedef struct ls_field {
  ls_dtype type; /* LS_W: the graph's weight type */
  const char *name;
  const char *extent;
  const char *init; /* its initial contents: data/pattern.h */
  const char *doc;
  /* Always has an allocation of its own, so that it can outlive the state. */
  bool alone;
} ls_field;

typedef struct ls_schema {
  const char *name, *family;
  const char *doc;
  u32 types; /* bit t: its fields of type W may have element type t; bit LS_NONE: it has no such field */
  const ls_field *fields;
  int nfields;
} ls_schema;

/* Is a row, loop or state valid? LS_EARG says what is wrong. */
struct ls_schema;
ls_status ls_row_check(const ls_prim *p);
ls_status ls_schema_check(const struct ls_schema *s);
/* Are all rows, loops and states valid? LS_EARG names the first that is not, and its file. */
ls_status ls_rows_check(void);

int ls_schemas(void);
const ls_schema *ls_schema_at(int i);

/* "i32, i64, f32 or f64": the element types of a row or a schema, in words. */
enum { LS_TYPES_TEXT = 64 };
const char *ls_types_text(u32 types, char out[LS_TYPES_TEXT]);

/* Evaluates an extent or cost expression: + - * /, parentheses, numbers and names looked up by `size`
 * (which returns a negative value for an unknown name). */
typedef f64 (*ls_size_fn)(const char *name, size_t len, const void *ctx);
ls_status ls_expr(const char *text, ls_size_fn size, const void *ctx, f64 *out);

#endif
