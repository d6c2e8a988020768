/* Rows: what kernels/FAMILY/FAMILY.def says of every primitive, at run time.
 *
 * One row gives the argument struct of the body, the Lua binding, help, completion, synchronisation,
 * `compare`, and the timing row. The table is generated (see cmake/Kernels.cmake). */
#ifndef LS_RUN_ROW_H
#define LS_RUN_ROW_H

#include "core/error.h"
#include "core/types.h"
#include "data/contract.h"
#include "language/domains.h"
#include "language/loops.h"
#include "run/device.h"

enum {
  LS_MAX_ARGS = 60,
  LS_MAX_SUMS = 12, /* of a loop: its steps' COUNTs by name */
  LS_MAX_FIELDS = 40
};
/* Of a queue whose length has 32 bits: below 2^32 by what all threads of a device may ask for at once. */
#define LS_MAX_ROOM 0xff000000u

typedef enum ls_role {
  LS_IN,    /* read; never written while the kernel runs */
  LS_OFF,   /* read: the row offsets by which an EDGES domain finds a vertex's edges */
  LS_START, /* read: where the edges of each vertex begin instead, */
  LS_END,   /* and where they end */
  LS_INOUT, /* read and written */
  LS_OUT,   /* written, every element (of a queue its length and items); what was there is not read */
  LS_QIN,   /* the queue whose items are the domain; element 0 is its length */
  LS_QOUT,  /* a queue that is filled; emptied before the launch */
  LS_QMORE, /* a queue that is appended to */
  LS_VALUE, /* a scalar */
  LS_COUNT, /* summed over the launch and returned */
} ls_role;

/* The families' contracts follow the general ones. Their names alone stand here: kernels are not compiled
 * anew where a line of an index changes. */
enum {
  LS_CONTRACT_FAMILIES = LS_CONTRACT_GENERAL - 1,
#include "family_contracts.h"
  LS_CONTRACTS
};

/* What `compare` asks of two devices' outputs: of a row's, and of an argument's where it says so itself. */
typedef enum ls_agree {
  LS_AS_ROW,    /* of an argument: what the row says */
  LS_EXACT,     /* equal, element by element; queues as sets */
  LS_FIXPOINT,  /* equal once the fixpoint is reached; in between they may differ */
  LS_TOLERANCE, /* reals: |a - b| <= absolute + relative * the larger; of a row 1e-5 (f32) or 1e-12 (f64) */
  LS_TIE,       /* equal up to which of several right answers was taken: not compared by value */
} ls_agree;

typedef struct ls_arg {
  ls_role role;
  ls_dtype type; /* LS_W: the row's element type */
  const char *name;
  const char *extent;   /* elements, in terms of n, m and other sizes: "n+1", "n*n", "1" */
  ls_contract contract; /* what an element may be, where the body goes by it (language/contracts.def) */
  const char *bound;    /* the size that goes with it; NULL: none */
  bool ahead;           /* of a QOUT: in a loop the row may run ahead of its layers (role QAHEAD) */
  bool lost;            /* of a COUNT: of what the row's queues had no room for (role LOST) */
  bool wide;            /* of a queue: items of 16 bytes, two elements each */
  ls_agree agree;
  f64 relative, absolute; /* of LS_TOLERANCE */
} ls_arg;

static inline bool ls_arg_is_queue(const ls_arg *arg) {
  return arg->role == LS_QIN || arg->role == LS_QOUT || arg->role == LS_QMORE;
}

/* A VALUE of an unsigned type, or of the element type, is a size too, by its name. */
static inline bool ls_arg_is_size(const ls_arg *arg) {
  return arg->role == LS_VALUE && (arg->type <= LS_U64 || arg->type == LS_W);
}

/* The items for which a queue of so many elements has room; the first is its length. */
static inline u64 ls_queue_room(const ls_arg *arg, u64 elements) {
  const u64 room = (arg->wide ? elements / 2 : elements) - 1;
  return arg->type == LS_U32 && room > LS_MAX_ROOM ? LS_MAX_ROOM : room;
}

/* A line of a loop as it is written: LOOP ... END_LOOP in FAMILY.def. */
typedef enum ls_loop_word_kind {
  LS_WORD_END,
  LS_WORD_STEP, /* a: the row; b: bindings of its own, "front=near backward=1 " */
  LS_WORD_SWAP, /* a and b change places */
  LS_WORD_ONCE, /* left out where the loop has begun */
  LS_WORD_END_ONCE,
  LS_WORD_REPEAT,
  LS_WORD_UNTIL, /* a: the COUNT that was zero in the whole of a pass */
  LS_WORD_IF,    /* a: the COUNT, of the last step before that has it, is not zero */
  LS_WORD_END_IF,
  LS_WORD_FOR, /* a: a VALUE of the steps, from 0 on; b: below this size */
  LS_WORD_END_FOR,
  LS_WORD_TOGETHER, /* the two steps within run side by side */
  LS_WORD_END_TOGETHER,
  LS_WORD_LEAVE_IF_NONE, /* a: the COUNT is zero: the innermost REPEAT or FOR, or else the loop, is over */
} ls_loop_word_kind;

typedef struct ls_loop_word {
  ls_loop_word_kind kind;
  const char *a, *b;
  const ls_arg *row; /* of a STEP: the row is there */
} ls_loop_word;

/* A step of a loop. */
typedef struct ls_step {
  const struct ls_prim *prim;
  u8 arg[LS_MAX_ARGS];    /* which of the loop's arguments is its i-th; LS_CONSTANT, LS_VARIABLE + k */
  u32 value[LS_MAX_ARGS]; /* of a LS_CONSTANT */
  u8 pair[LS_STEP_PAIRS]; /* the pairs that it has a part of; LS_NO_PAIR: none */
} ls_step;
enum { LS_CONSTANT = 0xff, LS_VARIABLE = 0xf0 };

/* A loop row, compiled from its words when the program starts (run/loop.c). */
typedef struct ls_loop {
  const ls_loop_word *words;
  int nwords;
  int nsteps, npairs, nvars;
  ls_step step[LS_MAX_STEPS];
  u8 pair[LS_MAX_PAIRS][2]; /* arguments that change places */
  const char *limit[LS_MAX_VARS], *var[LS_MAX_VARS];
  ls_loop_code code;
} ls_loop;

struct ls_launch;
typedef ls_status (*ls_launch_fn)(struct ls_launch *);

/* Which tiles of a square matrix a row writes in the stage k of a blocked algorithm: TILED(row, PIVOT) in a
 * .def. */
typedef enum ls_tiles {
  LS_TILES_NONE,
  LS_TILES_PIVOT, /* the k-th diagonal tile */
  LS_TILES_CROSS, /* the others of the k-th row and column of tiles */
  LS_TILES_REST,  /* all but these */
  LS_TILES_UPPER, /* of an upper triangular matrix: what is right of the pivot and above it, and what is above
                     right */
  LS_TILES_STEP,  /* all of them; k is a vertex, its pivot the diagonal tile that has it, of 32 x 32 */
  LS_TILES_PART   /* those of rows i .. i + rows - 1 and columns j .. j + cols - 1, by a product over k .. k +
                     deep - 1;   in elements, of tiles of `tile` */
} ls_tiles;

typedef struct ls_prim {
  const char *name;
  const char *doc; /* first line: the signature's summary; then shapes, errors, source */
  const char *family;
  const char *source; /* kernels/FAMILY/NAME.h, for ??NAME; NULL: a loop, whose source is its words */
  ls_domain domain;
  const char *items; /* the domain's size: an expression, or "queue" for the QIN's length */
  ls_agree agree;
  /* The cost model: bytes that were touched, e.g. "4*n + 8*settled", over sizes, items, edges and counts; and
   * accesses at places that the data names. "": not known. at_most: a bound, where no count tells what was
   * touched. */
  const char *bytes, *gathers;
  bool bytes_at_most, gathers_at_most;
  const char *operations; /* likewise: updates c = min(c, a + b), or what stands for them; NULL: not known */
  const ls_arg *args;
  int nargs;    /* COUNTs included, in the order given */
  u64 writes;   /* bit i: the elements of the i-th argument may change: a loop's also by swaps */
  u64 reads[2]; /* bit i: its elements matter when the row begins; of a loop that has begun: [true] */
  u64 makes[2]; /* bit i: they are all written, whatever they were; a loop's within an iteration */
  u64 begins;   /* bit i: a loop makes them before its first iteration */
  u64 first;    /* bit i: a loop's first step makes them, begun or not */
  u32 types;    /* bit t: there is a body for element type t; bit LS_NONE: untyped */
  ls_launch_fn run[2][LS_NONE + 1]; /* by processor and element type; NULL where there is none */

  ls_tiles tiles;              /* which tiles of a matrix it writes, for the panel's view of them */
  ls_loop *loop;               /* LOOP rows only */
  struct ls_prim *newer;       /* what took its name's place since; NULL: it is the present one */
  struct ls_kernel_text *text; /* what it is compiled from while the program runs; NULL: it was built in */
} ls_prim;

bool ls_prim_exchanges(const ls_prim *p); /* does it exchange data with other ranks? */

int ls_prims(void);
ls_prim *ls_prim_at(int i);
ls_prim *ls_prim_find(const char *name); /* the present one; NULL: none */

/* A row or a loop that is made while the program runs. Make completes it; LS_EARG says what is wrong.
 * Registered, it takes its name's place from the next call on; who holds the earlier one keeps it. It is to
 * live as long as the process does. Add does both, checks it, and takes no name that is there. */
ls_status ls_prim_add(ls_prim *p);
ls_status ls_prim_make(ls_prim *p);
ls_status ls_prim_register(ls_prim *p);
void ls_prim_take_back(ls_prim *p, ls_prim *old);   /* puts the earlier one back; NULL: there was none */
bool ls_prim_shipped(const ls_prim *p);             /* is it one of those that were built in? */
ls_prim *ls_prim_shipped_find(const char *name);    /* the one that was built in; NULL: none */
bool ls_types_of_set(const char *name, u32 *types); /* "FOR_W"; false: there is no such set */

const char *ls_domain_name(ls_domain d);   /* "edges of vertices" */
const char *ls_domain_thread(ls_domain d); /* "an edge of a vertex that the row selects" */
bool ls_domain_walks(ls_domain d);         /* does its driver count the edges that are walked? */
/* May a call choose the threads of a block on CUDA? Where a thread, or a block, has one item of the domain;
 * of a loop all steps. A library's row goes its own way. */
bool ls_prim_has_block(const ls_prim *p);

int ls_arg_find(const ls_prim *p, const char *name); /* index in args; -1: none */

/* The one answer to what a call changes and what it goes by, for all who ask: may the buffer be written, may
 * it stand in two places, what must hold in it, what is recorded and compared. */
static inline bool ls_arg_written(const ls_prim *p, int i) { return p->writes >> i & 1; }
static inline bool ls_arg_read(const ls_prim *p, int i, bool begun) { return p->reads[begun] >> i & 1; }

/* A schema: the named buffers that an algorithm works on: SCHEMA in kernels/FAMILY/FAMILY.def. */
typedef struct ls_field {
  ls_dtype type; /* LS_W: the graph's weight type */
  const char *name;
  const char *extent;
  const char *init; /* what it holds at first: data/pattern.h */
  const char *doc;
  bool alone; /* its memory is never a part of the state's: it may be kept when the state is closed */
} ls_field;

typedef struct ls_schema {
  const char *name, *family;
  const char *doc;
  u32 types; /* bit t: its fields of type W may have element type t; bit LS_NONE: it has none */
  const ls_field *fields;
  int nfields;
} ls_schema;

/* Is the row or the loop, the state well written? LS_EARG says what is not. */
struct ls_schema;
ls_status ls_row_check(const ls_prim *p);
ls_status ls_schema_check(const struct ls_schema *s);
/* Is every row, loop and state well written? LS_EARG names the first that is not, and its file. */
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
