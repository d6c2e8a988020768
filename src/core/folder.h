/* The cache folder and the folders that come with the program. */
#ifndef LS_CORE_FOLDER_H
#define LS_CORE_FOLDER_H

#include "core/types.h"

/* Sets `out` to the path of the cache folder, $XDG_CACHE_HOME/lockstep or ~/.cache/lockstep; `inside`, unless
 * NULL, is appended to it. false: neither variable has an absolute path, or the result is too long. */
bool ls_cache_folder(const char *inside, char *out, size_t bytes);
/* Creates the folder and its parents. false: it cannot be created, belongs to another user, or others may
 * write in it. */
bool ls_cache_make(const char *folder);

/* Sets `out` to the path of this program. false: it is unknown or too long; `out` is "". */
bool ls_program_path(char *out, size_t bytes);

/* Sets `out` to the path of a folder that comes with the program, such as "scripts/paper". Looks in
 * ../share/lockstep (an installed program), next to the program, in each folder above it, and in the current
 * folder. false: not found; `out` is the last place tried. */
bool ls_shipped_folder(const char *folder, char *out, size_t bytes);
/* The same for a folder of the samples; inside = "lessons": samples/lessons. */
bool ls_samples_folder(const char *inside, char *out, size_t bytes);
/* If no file is at a path such as "samples/city.gr", returns the sample of that name that comes with the
 * program, its path in `out`. Any other path is returned unchanged. */
const char *ls_samples_path(const char *path, char *out, size_t bytes);

#endif
