#include "repl/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/output.h"
#include "core/show.h"

static void put_shown(FILE *f, const char *s) {
  char one[LS_SHOWN_CHAR];
  while (*s) {
    s += ls_shown_char(s, SIZE_MAX, LS_SHOW_LINES, one);
    fputs(one, f);
  }
}

static void say(FILE *f, const char *fmt, va_list ap) {
  char small[1024], *large = NULL;
  va_list again;
  va_copy(again, ap);
  const int n = vsnprintf(small, sizeof small, fmt, ap);
  if (n >= (int)sizeof small && (large = ls_malloc((size_t)n + 1)))
    vsnprintf(large, (size_t)n + 1, fmt, again);
  va_end(again);
  put_shown(f, large ? large : small); /* without memory: how it begins */
  ls_free(large);
}

static FILE *for_people(void) { return ls_out.form == LS_TEXT ? stdout : stderr; }

void ls_say(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(for_people(), fmt, ap);
  va_end(ap);
}

void ls_say_raw(const char *text) { fputs(text, for_people()); }

void ls_say_data(const char *text, size_t bytes) {
  if (isatty(STDOUT_FILENO))
    put_shown(stdout, text);
  else
    fwrite(text, 1, bytes, stdout);
}

void ls_note(const char *fmt, ...) {
  va_list ap;
  fflush(stdout); /* so that what is said stays in order on a terminal */
  va_start(ap, fmt);
  say(stderr, fmt, ap);
  va_end(ap);
}

void ls_complain(const char *message, const char *more) {
  fflush(stdout);
  if (ls_out.color) fputs("\033[31m", stderr);
  put_shown(stderr, message);
  if (ls_out.color) fputs("\033[m", stderr);
  put_shown(stderr, more);
  fputc('\n', stderr);
}
