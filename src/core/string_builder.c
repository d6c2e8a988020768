#include "core/string_builder.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"

static bool make_room(ls_text *t, size_t bytes) {
  if (t->failed) return false;
  if (t->len + bytes + 1 <= t->room) return true;
  size_t room = t->room ? t->room : 256;
  while (room < t->len + bytes + 1) room *= 2;
  char *s = ls_realloc(t->s, room);
  if (!s) {
    t->failed = true;
    return false;
  }
  t->s = s;
  t->room = room;
  return true;
}

void ls_text_add(ls_text *t, const char *s, size_t bytes) {
  if (!make_room(t, bytes)) return;
  memcpy(t->s + t->len, s, bytes);
  t->len += bytes;
  t->s[t->len] = 0;
}

void ls_text_puts(ls_text *t, const char *s) { ls_text_add(t, s, strlen(s)); }
void ls_text_putc(ls_text *t, char c) { ls_text_add(t, &c, 1); }

void ls_text_quote(ls_text *t, const char *s) {
  ls_text_putc(t, '"');
  for (; *s; s++) {
    if (*s == '"' || *s == '\\')
      ls_text_printf(t, "\\%c", *s);
    else if ((unsigned char)*s < 0x20)
      ls_text_printf(t, "\\%03d", *s);
    else
      ls_text_putc(t, *s);
  }
  ls_text_putc(t, '"');
}

void ls_text_call(ls_text *t, const char *f, const char *a, const char *b) {
  ls_text_puts(t, f);
  ls_text_putc(t, '(');
  ls_text_quote(t, a);
  if (b) ls_text_puts(t, ", "), ls_text_quote(t, b);
  ls_text_putc(t, ')');
}

void ls_text_vprintf(ls_text *t, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0 || !make_room(t, (size_t)n)) return;
  vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
  t->len += (size_t)n;
}

void ls_text_printf(ls_text *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  ls_text_vprintf(t, fmt, ap);
  va_end(ap);
}

void ls_text_cut(ls_text *t, size_t len) {
  if (len >= t->len) return;
  t->len = len;
  t->s[len] = 0;
}

const char *ls_text_str(const ls_text *t) { return t->s ? t->s : ""; }

void ls_text_free(ls_text *t) {
  ls_free(t->s);
  *t = (ls_text){0};
}
