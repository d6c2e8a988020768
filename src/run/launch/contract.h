/* Checks before a row runs that its arguments hold what its body relies on. The contracts are defined in
 * kernels/language/contracts.def and in the families. */
#ifndef LS_RUN_CONTRACT_H
#define LS_RUN_CONTRACT_H

#include "run/launch/dispatch.h"
#include "run/launch/sizes.h"

/* LS_EARG names primitive, argument, index, what was found and what was expected. A buffer is checked only if
 * its elements are not already known to be right. */
ls_status ls_contract_check(const ls_call *c, const ls_sizes *sizes);
/* Called after the row: records what the buffers that it wrote are now known to hold. If a loop has not
 * finished an iteration, these are only the buffers that were checked before the call, or overwritten as a
 * whole before its first iteration. */
void ls_contract_note(const ls_call *c, const ls_sizes *sizes, const ls_outcome *out);

/* False if the argument is a queue, but its contract is for items of another width. */
bool ls_contract_fits(const ls_arg *arg);

#endif
