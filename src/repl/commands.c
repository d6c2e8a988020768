/* The table of commands, and the two ways out: data and messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/output.h"
#include "core/show.h"
#include "repl/command.h"
#include "repl/repl.h"

enum { OURS = 5, MORE = 4 };
static const ls_command *tables[OURS + MORE] = {ls_commands_file, ls_commands_step, ls_commands_past,
                                                ls_commands_lesson, ls_commands_look};
static int count = OURS;

void ls_commands_add(const ls_command *table) {
  if (count < OURS + MORE) tables[count++] = table;
}

const ls_command *ls_command_at(int i) {
  for (int t = 0; t < count; t++)
    for (const ls_command *c = tables[t]; c->name; c++)
      if (i-- == 0) return c;
  return NULL;
}

/* What one letter means where several commands begin with it. */
static const char *const letters[] = {"break", "continue", "delete", "finish", "help",  "iter",
                                      "next",  "quit",     "step",   "until",  "where", NULL};

const ls_command *ls_command_find(const char *word, size_t len) {
  const ls_command *found = NULL, *c;
  int matches = 0;
  for (int i = 0; len == 1 && letters[i]; i++)
    if (letters[i][0] == *word) return ls_command_find(letters[i], strlen(letters[i]));
  for (int i = 0; (c = ls_command_at(i)); i++) {
    if (strncmp(c->name, word, len) != 0) continue;
    if (strlen(c->name) == len) return c;
    found = c;
    matches++;
  }
  return len > 0 && matches == 1 ? found : NULL;
}

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
