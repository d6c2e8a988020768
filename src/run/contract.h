/* Before a row runs: do its arguments hold what its body goes by? What that may be say
 * kernels/language/contracts.def and the families. */
#ifndef LS_RUN_CONTRACT_H
#define LS_RUN_CONTRACT_H

#include "run/dispatch.h"
#include "run/sizes.h"

/* LS_EARG names primitive, argument, index, what was found and what was expected. A buffer is looked through
 * only where its elements are not known to be right. */
ls_status ls_contract_check(const ls_call *c, const ls_sizes *sizes);
/* After it: notes what the buffers that it has written are now known to hold. Of a loop that did not come to
 * the end of an iteration that is what was looked at before, and what was made before its first. */
void ls_contract_note(const ls_call *c, const ls_sizes *sizes, const ls_outcome *out);

/* If the argument is a queue: is its contract one for queues of such items? */
bool ls_contract_fits(const ls_arg *arg);

#endif
