/* `compare A B`, for the dispatcher alone. */
#ifndef LS_RUN_COMPARE_H
#define LS_RUN_COMPARE_H

#include "run/dispatch.h"
#include "run/sizes.h"

typedef ls_status (*ls_run_fn)(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                               const ls_sizes *sizes, ls_outcome *out);

/* Runs the call on a with the caller's buffers and on b with copies of what it writes, and holds the outputs
 * against each other under the row's AGREE rule. A disagreement is LS_EARG with it as message, unless the
 * hook lets the run go on with a's outputs. */
ls_status ls_compare_run(const ls_call *c, const ls_sizes *sizes, ls_device *a, ls_device *b, ls_run_fn run,
                         ls_outcome *out);

/* ls_compare_stepped, with what it needs. */
ls_status ls_compare_loop(const ls_call *done, const ls_call *before, const ls_sizes *sizes, ls_device *a,
                          ls_device *b, ls_run_fn run);

#endif
