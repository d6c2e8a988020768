/* Folders for temporary files, in $TMPDIR or /tmp. They are removed even if the process ends by a signal;
 * after SIGKILL, by the next process that makes one. */
#ifndef LS_CORE_TEMPORARY_H
#define LS_CORE_TEMPORARY_H

#include <stddef.h>

#include "core/error.h"

/* Creates a folder and writes its path to `out`. LS_EIO: it cannot be created. */
ls_status ls_temporary_folder(char *out, size_t bytes);
/* Removes a folder of ls_temporary_folder, with all that is in it. */
void ls_temporary_remove(const char *folder);
/* Removes all temporary folders, because the process is about to end. Async-signal-safe. */
void ls_temporary_end(void);

#endif
