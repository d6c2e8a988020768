/* A string that grows. Running out of memory is remembered, not reported at every turn: what was added until
 * then stays, and `failed` is set. */
#ifndef LS_REPL_TEXT_H
#define LS_REPL_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ls_text {
  char *s; /* ended by a zero byte; NULL while nothing was added */
  size_t len, room;
  bool failed;
} ls_text;

void ls_text_add(ls_text *t, const char *s, size_t bytes);
void ls_text_puts(ls_text *t, const char *s);
void ls_text_putc(ls_text *t, char c);
void ls_text_quote(ls_text *t, const char *s); /* as a string in Lua */
void ls_text_printf(ls_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ls_text_vprintf(ls_text *t, const char *fmt, va_list ap);
void ls_text_cut(ls_text *t, size_t len);  /* back to that length */
const char *ls_text_str(const ls_text *t); /* "" while empty */
void ls_text_free(ls_text *t);

#endif
