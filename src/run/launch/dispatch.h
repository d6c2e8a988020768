/* Launches: turns a row and its bound arguments into work on a device and a record in the trace. */
#ifndef LS_RUN_DISPATCH_H
#define LS_RUN_DISPATCH_H

#include "data/buffer.h"
#include "run/devices/device.h"
#include "run/launch/launch.h"
#include "run/launch/row.h"
#include "run/record/trace.h"

/* A row with its arguments, in the row's order (COUNTs: unused). */
typedef struct ls_call {
  ls_prim *prim;
  ls_dtype type; /* element type; LS_NONE for an untyped row */
  ls_buffer *buffers[LS_MAX_ARGS];
  ls_value values[LS_MAX_ARGS];
  u64 max_iterations; /* LOOP rows: limit on iterations; 0: until the loop ends by itself */
  u64 max_repeats;    /* an inner REPEAT halts after this many passes; 0: no bound */
  bool begun;         /* LOOP rows: the loop has begun before, so skip the ONCE group */
  u64 done;           /* if begun: also skip this many iterations of an outermost FOR */
  u32 block;          /* CUDA: threads per block, if ls_prim_has_block; 0: the row's default */
  bool beside;  /* an exchange: only begin it (core/async_job.h), unless there is one rank or compare is on */
  bool stepped; /* a step of a stepped loop: compare checks the loop as a whole when it ends */
  const char *where;     /* "scc.lua:18" */
  u8 place[LS_MAX_ARGS]; /* [i]: position of argument i in the user's call, from 1 on; 0: passed by name */
} ls_call;

/* For messages: "argument 2 (dist)"; "argument dist" if it comes from a graph, a state or a table. */
enum { LS_ARG_CHARS = 128 };
const char *ls_call_arg(const ls_call *c, int i, char out[LS_ARG_CHARS]);

typedef struct ls_outcome {
  u64 counts[LS_MAX_SUMS]; /* for a loop, sums over its steps, by name */
  u64 iterations;          /* LOOP rows */
  bool finished;           /* LOOP rows: it has reached its end */
  bool entered;            /* LOOP rows: what precedes the first iteration is done */
  bool interrupted;        /* Ctrl-C or a pause: the state is valid and the loop can continue */
  u64 beside; /* the number of an exchange that was only begun (core/async_job.h); 0: it is done */
} ls_outcome;

/* Checks the types and extents of the arguments (LS_EARG: "relax: argument 2 (dist): expected f32[10], got
 * i32[8]"), synchronises them, launches on the current device (on both devices of `compare`), waits for the
 * counts while serving ls_idle, and adds a record to the trace. */
ls_status ls_dispatch(ls_call *c, ls_outcome *out);

/* Evaluates a size expression of the row, such as the limit of a loop's FOR, for these arguments. */
ls_status ls_call_size(const ls_call *c, const char *text, u64 *out);

/* compare A B: every launch runs on both, and the results are compared by the row's AGREE rule. NULL, NULL:
 * off. */
void ls_compare(ls_device *a, ls_device *b);
bool ls_compare_on(ls_device **a, ls_device **b);
/* "143 compared, 12 not (...)": launches since compare was last turned on; "" if none. */
void ls_compare_tally(char *out, size_t bytes);
/* Where to allocate copies that B uses: the place to pass to ls_buffer_copy. */
int ls_compare_side(void);
/* Compares a loop that was stepped through on A until it ended (`done`); the buffers of `before` are copies
 * of what the loop writes, made when it began. B runs the whole loop on these copies. */
ls_status ls_compare_stepped(const ls_call *done, const ls_call *before);
/* The last disagreement: "relax: dist[17]: cpu 4, cuda:0 5 ..."; "" if none. */
const char *ls_compare_report(void);
/* Called at a disagreement. true: the run continues with A's outputs; false: the call fails. */
void ls_compare_hook(bool (*hook)(const char *report));

#endif
