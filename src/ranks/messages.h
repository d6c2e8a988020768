/* Forwards what ranks write to standard error, so that one person can read it. Used by the launcher. */
#ifndef LS_RANKS_MESSAGES_H
#define LS_RANKS_MESSAGES_H

#include <stddef.h>

#include "core/types.h"

/* Takes bytes that a rank wrote. Those of rank 0 are written at once. A line of another rank waits for half a
 * second: if rank 0 writes the same, because both fail alike, it is dropped; otherwise it is written,
 * preceded by "rank R: ". */
void ls_messages_hear(int rank, const char *text, size_t bytes);
/* Writes the lines that have waited long enough; all: also those that have not, and incomplete lines. */
void ls_messages_pass(bool all);

#endif
