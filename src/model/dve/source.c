#include "model/dve/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

/* --- places ------------------------------------------------------------------------------------------- */

/* Parses a `#line` mark; false if the line is not one. */
static bool read_mark(const dve_text *t, u32 at, u32 *line, dve_word *name) {
  static const char word[] = "#line ";
  const u32 n = sizeof word - 1;
  if (at + n > t->bytes || memcmp(t->s + at, word, n) != 0) return false;
  char *end;
  const unsigned long number = strtoul(t->s + at + n, &end, 10); /* the text ends with a 0 */
  const u32 behind = (u32)(end - t->s);
  if (behind == at + n || number > UINT32_MAX) return false;
  *line = (u32)number;
  *name = (dve_word){0, 0};
  const char *open = memchr(end, '"', strcspn(end, "\n"));
  const char *close = open ? memchr(open + 1, '"', strcspn(open + 1, "\n")) : NULL;
  if (close) *name = (dve_word){(u32)(open + 1 - t->s), (u32)(close - open - 1)};
  return true;
}

u32 dve_line_mark(const dve_text *t, u32 at) {
  u32 line;
  dve_word name;
  if (at > 0 && t->s[at - 1] != '\n') return 0;
  return read_mark(t, at, &line, &name) ? (u32)strcspn(t->s + at, "\n") : 0;
}

dve_place dve_place_of(const dve_text *t, u32 at) {
  dve_place p = {t->name, (int)strlen(t->name), 1, 1};
  u32 begins = 0;
  while (begins <= at) {
    const char *end = memchr(t->s + begins, '\n', t->bytes - begins);
    const u32 next = end ? (u32)(end - t->s) + 1 : t->bytes + 1;
    u32 line;
    dve_word name;
    if (read_mark(t, begins, &line, &name)) {
      p.line = line;
      if (name.bytes) p.name = t->s + name.at, p.name_bytes = (int)name.bytes;
    } else if (next > at) {
      break;
    } else {
      p.line++;
    }
    begins = next;
  }
  p.column = begins <= at ? at - begins + 1 : 1;
  return p;
}

ls_status dve_vfail(const dve_text *t, u32 at, const char *fmt, va_list ap) {
  char text[768];
  vsnprintf(text, sizeof text, fmt, ap);
  const dve_place p = dve_place_of(t, at);
  return ls_fail(LS_EINPUT, "%.*s:%u:%u: %s", p.name_bytes, p.name, p.line, p.column, text);
}

ls_status dve_fail(const dve_text *t, u32 at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const ls_status st = dve_vfail(t, at, fmt, ap);
  va_end(ap);
  return st;
}

bool dve_same_word(const dve_text *t, dve_word a, const char *word) {
  return strlen(word) == a.bytes && memcmp(t->s + a.at, word, a.bytes) == 0;
}

/* --- memory ------------------------------------------------------------------------------------------- */

typedef struct dve_arena_block {
  struct dve_arena_block *before;
  size_t used, room;
} block;

enum { LEAST = 1 << 14, ALIGN = 16, HEAD = (sizeof(block) + ALIGN - 1) / ALIGN * ALIGN };

void *dve_arena_get(dve_arena *a, size_t bytes) {
  if (bytes > SIZE_MAX / 2) bytes = SIZE_MAX / 2; /* which fails below */
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (!a->last || a->last->room - a->last->used < bytes) {
    size_t room = a->last ? 2 * a->last->room : LEAST;
    if (room > 1 << 20) room = 1 << 20;
    if (room < bytes) room = bytes;
    block *b = ls_calloc(1, HEAD + room);
    if (!b) return NULL;
    *b = (block){a->last, 0, room};
    a->last = b;
  }
  void *p = (u8 *)a->last + HEAD + a->last->used;
  a->last->used += bytes;
  return p;
}

char *dve_arena_text(dve_arena *a, const char *s, size_t bytes) {
  char *copy = dve_arena_get(a, bytes + 1);
  return copy ? memcpy(copy, s, bytes) : NULL;
}

void dve_arena_free(dve_arena *a) {
  while (a->last) {
    block *b = a->last;
    a->last = b->before;
    ls_free(b);
  }
}
