/* A file mapped into memory, read-only. Whoever shortens it, or writes over it, changes what is mapped: a
 * page that can no longer be read becomes zeros instead of ending the process, and that it happened is
 * noticed. What another program writes over the file in place is seen by its size and time, at the next look.
 */
#ifndef LS_CORE_MAPPING_H
#define LS_CORE_MAPPING_H

#include <stdbool.h>

#include "core/error.h"
#include "core/types.h"

typedef struct ls_mapping ls_mapping;

/* The first `bytes` > 0 of an open file; path is for messages. LS_EINPUT, LS_EMEM. */
ls_status ls_mapping_new(int fd, const char *path, u64 bytes, ls_mapping **out);
void ls_mapping_free(ls_mapping *m); /* NULL is fine */
const void *ls_mapping_bytes(const ls_mapping *m);

/* LS_EINPUT: it is no longer what was mapped; so from then on. Asks the system at most every millisecond. */
ls_status ls_mapping_check(ls_mapping *m);

/* How many mappings have lost pages so far; and LS_EINPUT where that is more than `before`: what has been
 * made meanwhile may be made of zeros. */
u64 ls_mapping_losses(void);
ls_status ls_mapping_lost_since(u64 before);

#endif
