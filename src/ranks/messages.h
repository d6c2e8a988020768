/* What ranks write on standard error, as one person reads it: the launcher passes it on. */
#ifndef LS_RANKS_MESSAGES_H
#define LS_RANKS_MESSAGES_H

#include <stddef.h>

#include "core/types.h"

/* Bytes that a rank wrote. Those of rank 0 go out at once. A line of another rank waits for half a second: if
 * rank 0 says the same, as ranks do that fail alike, it is dropped; else it goes out with "rank R: " before
 * it. */
void ls_messages_hear(int rank, const char *text, size_t bytes);
/* Lets lines go out that have waited long enough; all: those that have not, too, and lines without an end. */
void ls_messages_pass(bool all);

#endif
