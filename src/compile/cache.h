/* The cache of compiled kernels. A file is named by a hash of all that it was compiled from:
 * $XDG_CACHE_HOME/lockstep/kernels/HASH.so or .cubin. The folder has at most 64 MiB; the least recently used
 * files are removed first. A truncated or changed file is not used. If there is no folder, or others may
 * write to it, nothing is cached, which only costs time. */
#ifndef LS_COMPILE_CACHE_H
#define LS_COMPILE_CACHE_H

#include "core/embedded.h"
#include "core/types.h"

enum { LS_CACHE_NAME = 48, LS_CACHE_PATH = 4200 };

/* The file name for what is compiled from these bytes: 32 hexadecimal digits and the extension. */
void ls_cache_name(const void *key, size_t bytes, const char *extension, char out[LS_CACHE_NAME]);
/* A checksum of all these headers, for the hash: code that was compiled with other headers is not used. */
u64 ls_headers_sum(const ls_embedded *headers);
/* Sets `path` to the path of a cached file that is intact; false: there is none. */
bool ls_cache_find(const char *name, char path[LS_CACHE_PATH]);
/* The contents of a cached file, freed by the caller with ls_free; NULL: there is none. */
void *ls_cache_read(const char *name, size_t *bytes);
/* Stores a file and sets `path` to its path; false: it could not be stored. */
bool ls_cache_keep(const char *name, const void *contents, size_t bytes, char path[LS_CACHE_PATH]);

#endif
