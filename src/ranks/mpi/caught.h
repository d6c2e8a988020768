/* Collects what a rank above 0 writes to standard error, which rank 0 then shows once, with the rank's
 * number. */
#ifndef LS_RANKS_MPI_CAUGHT_H
#define LS_RANKS_MPI_CAUGHT_H

#include "core/types.h"

enum { CAUGHT_MOST = 1 << 20 }; /* most bytes per line of the prompt */

void caught_begin(void);
/* What was written since the last call, from malloc. NULL: nothing, or no memory for it. */
char *caught_take(u64 *bytes);
/* Restores standard error, and writes what is left there. */
void caught_end(int rank);

#endif
