#include "repl/say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
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

/* How wide messages may be; 0: as wide as they are, because no terminal shows them. */
static int message_columns(void) {
  const int columns = ls_output_columns();
  const bool panel = columns > 0 && !isatty(STDOUT_FILENO);
  return columns >= 20 && (panel || isatty(STDERR_FILENO)) ? columns : 0;
}

/* A message whose lines are broken between words at the terminal's width. */
static void put_folded(FILE *f, const char *s) {
  const int columns = message_columns();
  char one[LS_SHOWN_CHAR];
  int used = 0;
  while (*s) {
    const char *word = s;
    int wide = 0;
    for (; *word && (*word != ' ' || word == s) && *word != '\n'; word++)
      wide += ((unsigned char)*word & 0xc0) != 0x80;
    if (*word == '\n' && word == s) { /* only a line's end */
      s++, used = 0;
      fputc('\n', f);
      continue;
    }
    if (columns && used > 0 && used + wide > columns && *s == ' ' && wide <= columns - 2) {
      fputs("\n  ", f);
      s++, used = 1 + wide; /* the space has gone, two begin the line */
    } else {
      used += wide;
    }
    while (s < word) {
      s += ls_shown_char(s, SIZE_MAX, LS_SHOW_LINES, one);
      fputs(one, f);
    }
  }
}

static void say(FILE *f, const char *fmt, va_list ap, void (*put)(FILE *, const char *)) {
  char small[1024], *large = NULL;
  va_list again;
  va_copy(again, ap);
  const int n = vsnprintf(small, sizeof small, fmt, ap);
  if (n >= (int)sizeof small && (large = ls_malloc((size_t)n + 1)))
    vsnprintf(large, (size_t)n + 1, fmt, again);
  va_end(again);
  put(f, large ? large : small); /* without memory: how it begins */
  ls_free(large);
}

static FILE *for_people(void) { return ls_out.form == LS_TEXT ? stdout : stderr; }

void ls_say(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(for_people(), fmt, ap, put_shown);
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
  say(stderr, fmt, ap, put_folded);
  va_end(ap);
}

void ls_complain(const char *message, const char *more) {
  fflush(stdout);
  if (ls_out.color) fputs("\033[31m", stderr);
  put_folded(stderr, message);
  if (ls_out.color) fputs("\033[m", stderr);
  put_folded(stderr, more);
  fputc('\n', stderr);
}
