/* Before a row runs: do its arguments hold what its body goes by? kernels/holds.def says what that may be. */
#ifndef LS_RUN_HOLDS_H
#define LS_RUN_HOLDS_H

#include "run/dispatch.h"
#include "run/sizes.h"

/* LS_EARG names primitive, argument, index, what was found and what was expected. A buffer is looked through
 * only where its elements are not known to be right. */
ls_status ls_holds_check(const ls_call *c, const ls_sizes *sizes);
/* After it: notes what the buffers that it has written are now known to hold. Of a loop that did not come to
 * the end of an iteration that is what was looked at before, and what was made before its first. */
void ls_holds_note(const ls_call *c, const ls_sizes *sizes, const ls_outcome *out);

#endif
