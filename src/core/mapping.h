/* A read-only mapping of a file that survives changes of the file. If another program truncates the file, the
 * mapping becomes zeros instead of SIGBUS ending the process, and the loss is recorded. If another program
 * overwrites it in place, ls_mapping_check detects that by the file's size and time. */
#ifndef LS_CORE_MAPPING_H
#define LS_CORE_MAPPING_H

#include <stdbool.h>

#include "core/error.h"
#include "core/types.h"

typedef struct ls_mapping ls_mapping;

/* Maps the first `bytes` > 0 bytes of an open file; path is for messages. LS_EINPUT, LS_EMEM. */
ls_status ls_mapping_new(int fd, const char *path, u64 bytes, ls_mapping **out);
void ls_mapping_free(ls_mapping *m); /* NULL is fine */
const void *ls_mapping_bytes(const ls_mapping *m);

/* LS_EINPUT once the file has changed since it was mapped. Calls fstat at most once per millisecond. */
ls_status ls_mapping_check(ls_mapping *m);

/* ls_mapping_losses: how many mappings have lost pages so far. ls_mapping_lost_since: LS_EINPUT if that
 * number has changed since it was `before`: what was computed in between may have read zeros. */
u64 ls_mapping_losses(void);
ls_status ls_mapping_lost_since(u64 before);

#endif
