#include "repl/output/output.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/wrap_text.h"
#include "core/mem.h"
#include "core/output.h"
#include "core/escape.h"

static void put_part(FILE *f, const char *s, size_t bytes) {
  char one[LS_ESCAPED_CHAR];
  for (size_t n; bytes > 0; s += n, bytes -= n) {
    n = ls_escaped_char(s, bytes, LS_ESCAPE_LINES, one);
    fputs(one, f);
  }
}

static void put_shown(FILE *f, const char *s) { put_part(f, s, strlen(s)); }

/* The width of messages in columns; 0: unlimited, because neither a terminal nor the panel shows them. */
static int message_columns(void) {
  const int columns = ls_output_columns();
  const bool panel = columns > 0 && !isatty(STDOUT_FILENO);
  return columns >= 20 && (panel || isatty(STDERR_FILENO)) ? columns : 0;
}

/* Prints a message that begins at column `at`, broken between words at the terminal's width; continuation
 * lines are indented by two. Returns the column at which it ends. */
static int put_folded_at(FILE *f, const char *s, int at) {
  const int columns = message_columns();
  while (*s) {
    size_t len = strcspn(s, "\n");
    int room = columns ? columns - at : INT_MAX;
    if (at > 0 && room < (int)len && room < 20) { /* too little for a word */
      fputs("\n  ", f);
      while (len > 0 && *s == ' ') s++, len--;
      at = 2, room = columns - 2;
    }
    for (size_t cut; (cut = ls_wrap_text(s, len, room, NULL)) < len; at = 2, room = columns - 2) {
      put_part(f, s, cut);
      fputs("\n  ", f);
      while (cut < len && s[cut] == ' ') cut++;
      s += cut, len -= cut;
    }
    put_part(f, s, len);
    at += ls_columns(s, len);
    s += len;
    if (*s == '\n') fputc(*s++, f), at = 0;
  }
  return at;
}

static void put_folded(FILE *f, const char *s) { put_folded_at(f, s, 0); }

static void say(FILE *f, const char *fmt, va_list ap, void (*put)(FILE *, const char *)) {
  char small[1024], *large = NULL;
  va_list again;
  va_copy(again, ap);
  const int n = vsnprintf(small, sizeof small, fmt, ap);
  if (n >= (int)sizeof small && (large = ls_malloc((size_t)n + 1)))
    vsnprintf(large, (size_t)n + 1, fmt, again);
  va_end(again);
  put(f, large ? large : small); /* if memory is short, only the beginning */
  ls_free(large);
}

static FILE *kept; /* set by ls_say_into; NULL: not redirected */

void ls_say_into(FILE *f) { kept = f; }

static FILE *for_people(void) { return kept ? kept : ls_out.form == LS_TEXT ? stdout : stderr; }

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
  fflush(stdout); /* keeps stdout and stderr in order on a terminal */
  va_start(ap, fmt);
  say(stderr, fmt, ap, put_folded);
  va_end(ap);
}

static char complaint[512]; /* the beginning of the last error */

const char *ls_complaint(void) { return complaint; }
void ls_complaint_forget(void) { *complaint = '\0'; }

void ls_complain(const char *message, const char *more) {
  snprintf(complaint, sizeof complaint, "%s", message);
  fflush(stdout);
  if (ls_out.color) fputs("\033[31m", stderr);
  const int at = put_folded_at(stderr, message, 0);
  if (ls_out.color) fputs("\033[m", stderr);
  put_folded_at(stderr, more, at);
  fputc('\n', stderr);
}
