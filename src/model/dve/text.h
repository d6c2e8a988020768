/* A model's text, and messages that name a place in it; and the memory that what is read from it lies in. */
#ifndef LS_MODEL_DVE_TEXT_H
#define LS_MODEL_DVE_TEXT_H

#include "core/error.h"
#include "core/types.h"

/* s[bytes] is 0. Places are byte offsets. A line `#line N "FILE"`, as m4 -s writes it, says where the line
 * below it came from. */
typedef struct dve_text {
  char *name; /* the file's, for messages */
  char *s;
  u32 bytes;
} dve_text;

/* A piece of the text. */
typedef struct dve_word {
  u32 at, bytes;
} dve_word;

typedef struct dve_place {
  const char *name; /* of the file: name_bytes of it, no 0 behind them */
  int name_bytes;
  u32 line, column; /* from 1 */
} dve_place;

dve_place dve_place_of(const dve_text *t, u32 at);

/* Sets the message "FILE:LINE:COLUMN: ..." and returns LS_EINPUT. */
ls_status dve_fail(const dve_text *t, u32 at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static inline bool dve_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/* Bytes of a `#line` line that begins at `at`, without its end; 0: there is none. */
u32 dve_line_mark(const dve_text *t, u32 at);
bool dve_same_word(const dve_text *t, dve_word a, const char *word);

/* Memory that is freed all at once. Zeroed. NULL on failure, with the message set. */
typedef struct dve_arena {
  struct dve_arena_block *last;
} dve_arena;

void *dve_arena_get(dve_arena *a, size_t bytes);
char *dve_arena_text(dve_arena *a, const char *s, size_t bytes); /* a copy, with a 0 behind it */
void dve_arena_free(dve_arena *a);

#endif
