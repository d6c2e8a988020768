/* Collects what a rank above 0 writes to standard error, which rank 0 then shows once, with the rank's
 * number. */
#ifndef LS_RANKS_MPI_STDERR_CAPTURE_H
#define LS_RANKS_MPI_STDERR_CAPTURE_H

#include "core/types.h"

enum { CAUGHT_MOST = 1 << 20 }; /* maximum number of bytes per line of the prompt */

void stderr_capture_begin(void);
/* What was written since the last call, from malloc. NULL: nothing, or no memory for it. */
char *stderr_capture_take(u64 *bytes);
/* Restores standard error, and writes there what was collected but not taken. */
void stderr_capture_end(int rank);

#endif
