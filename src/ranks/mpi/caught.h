/* What a rank above 0 writes on standard error: rank 0 says it, once, and with the rank's number. */
#ifndef LS_RANKS_MPI_CAUGHT_H
#define LS_RANKS_MPI_CAUGHT_H

#include "core/types.h"

enum { CAUGHT_MOST = 1 << 20 }; /* bytes of a line of the prompt */

void caught_begin(void);
/* What was written since; from malloc. NULL: nothing, or there is no memory for it. */
char *caught_take(u64 *bytes);
/* What is left goes out from here. */
void caught_end(int rank);

#endif
