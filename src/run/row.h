/* Rows: what kernels/FAMILY/FAMILY.def says of every primitive, at run time.
 *
 * One row gives the argument struct of the body, the Lua binding, help, completion, synchronisation,
 * `compare`, and the timing row. The table is generated (see cmake/Kernels.cmake). */
#ifndef LS_RUN_ROW_H
#define LS_RUN_ROW_H

#include "core/error.h"
#include "core/types.h"
#include "data/contract.h"
#include "run/device.h"

enum {
  LS_MAX_ARGS = 60,
  LS_MAX_COUNTS = 4, /* of a row, with the driver's own */
  LS_MAX_SUMS = 12,  /* of a loop: its steps' COUNTs by name */
  LS_MAX_STEPS = 24,
  LS_MAX_SWAPS = 8,
  LS_MAX_FIELDS = 40
};

typedef enum ls_role {
  LS_IN,    /* read; never written while the kernel runs */
  LS_OFF,   /* read: the row offsets by which an EDGES domain finds a vertex's edges */
  LS_INOUT, /* read and written */
  LS_OUT,   /* written, every element (of a queue its length and items); what was there is not read */
  LS_QIN,   /* the queue whose items are the domain; element 0 is its length */
  LS_QOUT,  /* the queue that is filled; emptied before the launch */
  LS_VALUE, /* a scalar */
  LS_COUNT, /* summed over the launch and returned */
} ls_role;

typedef enum ls_domain { /* what a thread's index means: kernels/language/domains.def */
#define DOMAIN(name, own, chunk, short_name, thread) LS_##name,
#include "language/domains.def"
#undef DOMAIN
                         LS_LIBRARY, /* a whole operation of a library */
                         LS_LOOP,    /* several rows, repeated until a count is zero */
} ls_domain;

enum { /* the families' contracts, after the general ones */
       LS_CONTRACT_FAMILIES = LS_CONTRACT_GENERAL - 1,
#define CONTRACT(name, queue, right, text) LS_CONTRACT_##name,
#include "families.def"
       LS_CONTRACTS
};

typedef enum ls_agree {              /* what `compare` asks of two devices' outputs */
                        LS_EXACT,    /* equal, element by element; queues as sets */
                        LS_FIXPOINT, /* equal once the fixpoint is reached; in between they may differ */
                        LS_TIE, /* equal up to which of several right answers was taken: not compared by value
                                 */
                        LS_TOLERANCE, /* reals: |a - b| <= 1e-5 (f32) or 1e-12 (f64) of the larger */
} ls_agree;

typedef struct ls_arg {
  ls_role role;
  ls_dtype type; /* LS_W: the row's element type */
  const char *name;
  const char *extent;   /* elements, in terms of n, m and other sizes: "n+1", "n*n", "1" */
  ls_contract contract; /* what an element may be, where the body goes by it (language/contracts.def) */
  const char *bound;    /* the size that goes with it; NULL: none */
} ls_arg;

struct ls_launch;
typedef ls_status (*ls_launch_fn)(struct ls_launch *);

typedef struct ls_prim {
  const char *name;
  const char *doc; /* first line: the signature's summary; then shapes, errors, source */
  const char *family;
  const char *source; /* kernels/FAMILY/NAME.h, for ??NAME */
  ls_domain domain;
  const char *items; /* the domain's size: an expression, or "queue" for the QIN's length */
  ls_agree agree;
  /* The cost model: bytes that were touched, e.g. "4*n + 8*settled", over sizes, items, edges and counts; and
   * accesses at places that the data names. "": not known. at_most: a bound, where no count tells what was
   * touched. */
  const char *bytes, *gathers;
  bool bytes_at_most, gathers_at_most;
  const ls_arg *args;
  int nargs;    /* COUNTs included, in the order given */
  u64 writes;   /* bit i: the elements of the i-th argument may change: a loop's also by swaps */
  u64 reads[2]; /* bit i: its elements matter when the row begins; of a program that goes on: [true] */
  u64 makes[2]; /* bit i: they are all written, whatever they were; a loop's within an iteration */
  u64 begins;   /* bit i: a loop makes them before its first iteration */
  u32 types;    /* bit t: there is a body for element type t; bit LS_NONE: untyped */
  ls_launch_fn run[2][LS_NONE + 1]; /* by processor and element type; NULL where there is none */

  /* LOOP rows only */
  const char *steps_text, *swaps_text; /* as written in the row */
  int nsteps, nswaps;
  u32 alongside;         /* bit s: step s + 1 runs beside step s */
  u32 again;             /* bit s: step s is repeated until its first COUNT is zero */
  u32 crossed;           /* bit s: step s has the pairs swapped */
  u32 once;              /* so many steps come before the first iteration */
  u8 past[LS_MAX_STEPS]; /* where a group ends that is for a step whose first COUNT is not zero; 0: no group
                          */
  bool program;          /* is a step repeated, a group left out, or one there for the beginning? */
  const struct ls_prim *steps[LS_MAX_STEPS];
  /* which of the loop's arguments is a step's i-th, in even and (after the swaps) in odd repetitions */
  const u8 (*args_of)[2][LS_MAX_ARGS];
  const char *swaps[LS_MAX_SWAPS][2];
  const char *until; /* the COUNT that must be 0; "once": there is none */
} ls_prim;

int ls_prims(void);
ls_prim *ls_prim_at(int i);
ls_prim *ls_prim_find(const char *name); /* NULL: none */

const char *ls_domain_name(ls_domain d);   /* "edges of vertices" */
const char *ls_domain_thread(ls_domain d); /* "an edge of a vertex that the row selects" */
bool ls_domain_walks(ls_domain d);         /* does its driver count the edges that are walked? */

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
  const char
      *init; /* "0", "none" (all bits one), "identity", "empty" (a queue), "inf", "huge" (bytes of 0x7f) */
  const char *doc;
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
