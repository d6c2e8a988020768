/* The folder for what can be made again: $XDG_CACHE_HOME/lockstep, or ~/.cache/lockstep. */
#ifndef LS_CORE_FOLDER_H
#define LS_CORE_FOLDER_H

#include "core/types.h"

/* Its path, or that of a folder in it (inside NULL: none). false: neither variable says where it is, or the
 * path is too long. */
bool ls_cache_folder(const char *inside, char *out, size_t bytes);
/* Makes the folder with those above it. false: it is not there, or others may write in it. */
bool ls_cache_make(const char *folder);

#endif
