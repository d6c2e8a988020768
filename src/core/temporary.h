/* Folders for temporary files, in $TMPDIR or /tmp. They are removed where the process ends by a signal, too.
 * One whose process was killed (SIGKILL) is removed by the next process that makes one. */
#ifndef LS_CORE_TEMPORARY_H
#define LS_CORE_TEMPORARY_H

#include <stddef.h>

#include "core/error.h"

/* A new folder, its path in out. LS_EIO: there can be none. */
ls_status ls_temporary_folder(char *out, size_t bytes);
/* Removes it, with all that is in it. */
void ls_temporary_remove(const char *folder);
/* Removes all of them: the process is about to end. Async-signal-safe. */
void ls_temporary_end(void);

#endif
