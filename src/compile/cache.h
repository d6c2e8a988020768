/* What was compiled is kept under a hash of all it was made from: $XDG_CACHE_HOME/lockstep/kernels/HASH.so,
 * .cubin. The folder has at most 64 MiB; what was not used for longest goes first. A file that was cut short
 * or changed is not used. Without a folder, or where others may write in it, nothing is kept: that costs
 * time, and no more. */
#ifndef LS_COMPILE_CACHE_H
#define LS_COMPILE_CACHE_H

#include "core/embedded.h"
#include "core/types.h"

enum { LS_CACHE_NAME = 48, LS_CACHE_PATH = 4200 };

/* The name of what is made of these bytes: 32 hexadecimal digits and the extension. */
void ls_cache_name(const void *key, size_t bytes, const char *extension, char out[LS_CACHE_NAME]);
/* A checksum of headers, all of them: what was compiled with others is not used. */
u64 ls_headers_sum(const ls_embedded *headers);
/* The path of a file that is there and whole; false: there is none. */
bool ls_cache_find(const char *name, char path[LS_CACHE_PATH]);
/* Its contents, to be given to ls_free; NULL: there is none. */
void *ls_cache_read(const char *name, size_t *bytes);
/* Keeps it; false: it could not be kept. */
bool ls_cache_keep(const char *name, const void *contents, size_t bytes, char path[LS_CACHE_PATH]);

#endif
