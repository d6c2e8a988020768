/* Folders that the program finds by itself. */
#ifndef LS_CORE_FOLDER_H
#define LS_CORE_FOLDER_H

#include "core/types.h"

/* What can be made again is in $XDG_CACHE_HOME/lockstep, or ~/.cache/lockstep: the path of that, or of a
 * folder in it (inside NULL: none). false: neither variable says where it is, or the path is too long. */
bool ls_cache_folder(const char *inside, char *out, size_t bytes);
/* Makes the folder with those above it. false: it is not there, or others may write in it. */
bool ls_cache_make(const char *folder);

/* What comes with the program, as samples/lessons (inside: "lessons"): where the program is installed, or in
 * the folder of the program or one above it, or here. false: there is no such folder; *out is where it is
 * looked for last. */
bool ls_samples_folder(const char *inside, char *out, size_t bytes);
/* A path as "samples/city.gr" means, where no such file is here, the one that comes with the program: its
 * path in out, which is returned. Any other path is returned as it is. */
const char *ls_samples_path(const char *path, char *out, size_t bytes);

#endif
