/* Launching: from a row and its bound arguments to work on a device and a record in the trace. */
#ifndef LS_RUN_DISPATCH_H
#define LS_RUN_DISPATCH_H

#include "data/buffer.h"
#include "run/device.h"
#include "run/launch.h"
#include "run/row.h"
#include "run/trace.h"

/* A row with its arguments, in the row's order (COUNTs: unused). */
typedef struct ls_call {
  ls_prim *prim;
  ls_dtype type; /* element type; LS_NONE for an untyped row */
  ls_buffer *buffers[LS_MAX_ARGS];
  ls_value values[LS_MAX_ARGS];
  u64 max_iterations; /* LOOP rows: 0 = until the count is zero */
  u64 max_repeats;    /* after so many passes of an inner REPEAT the loop stands still there; 0: no bound */
  bool begun;         /* LOOP rows: what comes ONCE is left out, */
  u64 done;           /* and so many iterations of an outermost FOR */
  u32 block;          /* CUDA: threads a block, where ls_prim_has_block; 0: the row's own */
  bool beside;        /* an exchange: it is only begun (core/beside.h), unless one rank or compare runs it */
  bool stepped;       /* a step of a loop that is stepped through: the whole loop is compared when it ends */
  const char *where;  /* "scc.lua:18" */
  u8 place[LS_MAX_ARGS]; /* which argument of the user's call brought it, from 1 on; 0: it came by its name */
} ls_call;

/* For messages: "argument 2 (dist)"; "argument dist", where a graph, a state or a table brought it. */
enum { LS_ARG_CHARS = 128 };
const char *ls_call_arg(const ls_call *c, int i, char out[LS_ARG_CHARS]);

typedef struct ls_outcome {
  u64 counts[LS_MAX_SUMS]; /* a loop's are sums over its steps, by name */
  u64 iterations;          /* LOOP rows */
  bool finished;           /* LOOP rows: it has come to its end */
  bool entered;            /* LOOP rows: what comes before the first iteration is done */
  bool interrupted;        /* Ctrl-C or a pause: the state is valid and the loop can go on */
  u64 beside;              /* the number of an exchange that was only begun; 0: it is over */
} ls_outcome;

/* Checks dtypes and extents against each other (LS_EARG: "relax: argument 2 (dist): expected f32[10], got
 * i32[8]"), synchronises, launches on the current device (or on both devices of `compare`), waits for the
 * counts, serving ls_idle, and records. */
ls_status ls_dispatch(ls_call *c, ls_outcome *out);

/* A size expression of the row, such as the limit of a loop's FOR, for these arguments. */
ls_status ls_call_size(const ls_call *c, const char *text, u64 *out);

/* compare A B: every launch runs on both and is held against the row's AGREE rule. NULL, NULL: off. */
void ls_compare(ls_device *a, ls_device *b);
bool ls_compare_on(ls_device **a, ls_device **b);
/* "143 compared, 12 not (...)": launches since it was last turned on; "" before any. */
void ls_compare_tally(char *out, size_t bytes);
/* Where B's copies are best made: ls_buffer_copy's device. */
int ls_compare_side(void);
/* The loop `done` was stepped through on A until it was finished; `before` has copies of what it wrote, made
 * when it began. B runs it in one piece on these, and the results are held against each other. */
ls_status ls_compare_stepped(const ls_call *done, const ls_call *before);
/* The last disagreement, "" where there is none: "relax: dist[17]: cpu 4, cuda:0 5 ...". */
const char *ls_compare_report(void);
/* Asked at a disagreement: true, and the run goes on with A's outputs; false, and the call fails. */
void ls_compare_hook(bool (*hook)(const char *report));

#endif
