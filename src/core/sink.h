/* Buffered output to a file (core/atomic_file.h), compressed if its name ends in .gz. */
#ifndef LS_CORE_SINK_H
#define LS_CORE_SINK_H

#include <zlib.h>

#include "core/atomic_file.h"
#include "core/types.h"

enum { LS_SINK_BUFFER = 1 << 18, LS_SINK_WORD = 64 };

typedef struct ls_sink {
  const char *path; /* as given; "-" is standard output */
  ls_atomic_file file;
  bool compressed; /* the name ends in .gz */
  u64 done, total; /* for progress, in the saver's units; total = 0: bytes are shown */
  u64 bytes;
  u8 *buffer, *packed;
  size_t used;
  z_stream z;
  ls_status st; /* the first failure; after it nothing is written any more */
} ls_sink;

/* Failures are LS_EIO with the path in the message, or LS_EMEM. A failed open needs no close. */
ls_status ls_sink_open(ls_sink *s, const char *path);
/* Puts the file in its place if st is LS_OK and no call has failed before, else removes what was written.
 * Returns the first failure. */
ls_status ls_sink_close(ls_sink *s, ls_status st);

void ls_sink_bytes(ls_sink *s, const void *p, size_t bytes);
void ls_sink_text(ls_sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* < 1 KiB */
void ls_sink_flush(ls_sink *s);

/* Put a character or an integer into the buffer: fast, because savers of text write these most. */
static inline char *ls_sink_room(ls_sink *s) { /* space for LS_SINK_WORD bytes */
  if (s->used + LS_SINK_WORD > LS_SINK_BUFFER) ls_sink_flush(s);
  return (char *)s->buffer + s->used;
}
static inline void ls_sink_char(ls_sink *s, char c) {
  *ls_sink_room(s) = c;
  s->used++;
}
void ls_sink_integer(ls_sink *s, i64 x);

#endif
