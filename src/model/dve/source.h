/* A model's text, error messages with a position in it, and an arena for what is parsed from it. */
#ifndef LS_MODEL_DVE_SOURCE_H
#define LS_MODEL_DVE_SOURCE_H

#include <stdarg.h>

#include "core/error.h"
#include "core/types.h"

/* s[bytes] is 0. Positions are byte offsets. A line `#line N "FILE"`, written by m4 -s, gives the origin of
 * the next line. */
typedef struct dve_text {
  char *name; /* file name, for messages */
  char *s;
  u32 bytes;
} dve_text;

/* A piece of the text. */
typedef struct dve_word {
  u32 at, bytes;
} dve_word;

typedef struct dve_place {
  const char *name; /* file name: name_bytes bytes, without a final 0 */
  int name_bytes;
  u32 line, column; /* from 1 */
} dve_place;

dve_place dve_place_of(const dve_text *t, u32 at);

/* Sets the message "FILE:LINE:COLUMN: ..." and returns LS_EINPUT. */
ls_status dve_fail(const dve_text *t, u32 at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
ls_status dve_vfail(const dve_text *t, u32 at, const char *fmt, va_list ap);

static inline bool dve_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/* Length of the `#line` line that begins at `at`, without its newline; 0: there is none. */
u32 dve_line_mark(const dve_text *t, u32 at);
bool dve_same_word(const dve_text *t, dve_word a, const char *word);

/* Zeroed memory that is freed all at once. dve_arena_get returns NULL on failure, with the message set. */
typedef struct dve_arena {
  struct dve_arena_block *last;
} dve_arena;

void *dve_arena_get(dve_arena *a, size_t bytes);
char *dve_arena_text(dve_arena *a, const char *s, size_t bytes); /* a copy with a final 0 */
void dve_arena_free(dve_arena *a);

#endif
