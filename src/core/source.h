/* Input from a file, a pipe or standard input, decompressed if it is gzip data. */
#ifndef LS_CORE_SOURCE_H
#define LS_CORE_SOURCE_H

#include <zlib.h>

#include "core/error.h"
#include "core/types.h"

enum { LS_SOURCE_HEAD = 4096, LS_SOURCE_RAW = 1 << 16 };

typedef struct ls_source {
  const char *path; /* as given; "-" is standard input */
  int fd;
  bool regular;    /* a regular file: the size is known, and it can be mapped */
  bool compressed; /* gzip data, inflated while reading */
  bool raw_end;    /* nothing more comes from fd */
  bool inflating;  /* inside a gzip member */
  u64 size;        /* of a regular file; else 0 */
  u64 raw_at;      /* bytes taken from fd */
  u64 at;          /* bytes delivered */
  u8 *raw;         /* [LS_SOURCE_RAW]: read ahead */
  size_t raw_from, raw_to;
  u8 head[LS_SOURCE_HEAD]; /* the first bytes, to recognise a format by */
  size_t head_bytes, head_taken;
  z_stream z;
} ls_source;

/* Opens the file and reads its head. A file whose name ends in .gz must hold gzip data; other files may.
 * Failures of all functions here are LS_EINPUT with the path in the message, LS_EMEM or LS_EINTERRUPTED. A
 * failed open needs no close. */
ls_status ls_source_open(ls_source *s, const char *path);
void ls_source_close(ls_source *s);

/* Reads `want` bytes, fewer only at the end. */
ls_status ls_source_read(ls_source *s, void *to, size_t want, size_t *got);

/* Reads the rest into memory from ls_malloc, *bytes bytes, followed by '\n' and 0; shows progress. Stops
 * early when there are more than `most`. */
ls_status ls_source_read_all(ls_source *s, size_t most, char **out, size_t *bytes);

/* Skips `bytes` bytes; skipping beyond the end is not an error. */
ls_status ls_source_skip(ls_source *s, u64 bytes);

/* Sets *bytes to the number of bytes left; false if that is unknown (known only for an uncompressed regular
 * file). */
bool ls_source_left(const ls_source *s, u64 *bytes);

/* Shows progress: the bytes read so far, as a share of the file's size. */
void ls_source_progress(const ls_source *s);

/* zlib's memory, for a z_stream. */
void *ls_z_alloc(void *unused, unsigned count, unsigned size);
void ls_z_free(void *unused, void *p);

/* Does the path, less a .gz, end in ext (".gr")? */
bool ls_path_ends(const char *path, const char *ext);

#endif
