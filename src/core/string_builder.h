/* A growing string. If memory runs out, `failed` is set, the text so far stays, and further additions do
 * nothing, so that the caller may check once at the end. */
#ifndef LS_CORE_STRING_BUILDER_H
#define LS_CORE_STRING_BUILDER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ls_text {
  char *s; /* NUL-terminated; NULL until something is added */
  size_t len, room;
  bool failed;
} ls_text;

void ls_text_add(ls_text *t, const char *s, size_t bytes);
void ls_text_puts(ls_text *t, const char *s);
void ls_text_putc(ls_text *t, char c);
void ls_text_quote(ls_text *t, const char *s); /* adds s as a string literal of Lua */
/* Adds the Lua call f("a") or, if b is not NULL, f("a", "b"). */
void ls_text_call(ls_text *t, const char *f, const char *a, const char *b);
void ls_text_printf(ls_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ls_text_vprintf(ls_text *t, const char *fmt, va_list ap);
void ls_text_cut(ls_text *t, size_t len);  /* shortens it to len bytes, if longer */
const char *ls_text_str(const ls_text *t); /* "" while empty */
void ls_text_free(ls_text *t);

#endif
