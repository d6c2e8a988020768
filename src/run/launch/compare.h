/* `compare A B`; used only by the dispatcher. */
#ifndef LS_RUN_COMPARE_H
#define LS_RUN_COMPARE_H

#include "run/launch/dispatch.h"
#include "run/launch/sizes.h"

typedef ls_status (*ls_run_fn)(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                               const ls_sizes *sizes, ls_outcome *out);

/* Runs the call on a with the caller's buffers and on b with copies of what it writes, and compares the
 * outputs by the row's AGREE rule. A disagreement is LS_EARG with the difference as message, unless the hook
 * lets the run continue with a's outputs. */
ls_status ls_compare_run(const ls_call *c, const ls_sizes *sizes, ls_device *a, ls_device *b, ls_run_fn run,
                         ls_outcome *out);

/* Implements ls_compare_stepped (run/dispatch.h). */
ls_status ls_compare_loop(const ls_call *done, const ls_call *before, const ls_sizes *sizes, ls_device *a,
                          ls_device *b, ls_run_fn run);

#endif
