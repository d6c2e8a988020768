#include "repl/commands/call_commands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/words.h"

/* 0 if a digit is first. */
static size_t name_length(const char *s) { return isdigit((unsigned char)*s) ? 0 : ls_name_length(s); }

/* Is it a file's name rather than Lua source? "x.gr" and "road/x" are not valid Lua chunks. */
static bool names_file(const char *s, size_t n) {
  bool path = false;
  for (size_t i = 0; i < n; i++) {
    if (!isalnum((unsigned char)s[i]) && !strchr("_-./~+@%,", s[i])) return false;
    path |= s[i] == '.' || s[i] == '/';
  }
  return path && memchr(s, '\0', n) == NULL && (n < 6 || memcmp(s, "return", 6) != 0);
}

const char *ls_call_command(const char *line, char *rest, size_t bytes) {
  const char *s = ls_skip_space(line), *into = NULL;
  size_t n = name_length(s), into_length = 0;
  if (n == 0) return NULL;
  const char *after = ls_skip_space(s + n);
  if (*after == '=' && after[1] != '=') { /* g = load("x.gr") */
    into = s, into_length = n;
    s = ls_skip_space(after + 1), n = name_length(s), after = ls_skip_space(s + n);
  }
  const bool leave = !into && (ls_is_word(s, n, "quit") || ls_is_word(s, n, "exit"));
  if (!leave && !ls_is_word(s, n, "load")) return NULL;
  const bool parenthesis = *after == '(';
  const char *from = parenthesis ? ls_skip_space(after + 1) : after, *to = from;
  if (leave) {
    while (isdigit((unsigned char)*to)) to++;
  } else {
    if (*from != '"' && *from != '\'') return NULL;
    to = strchr(from + 1, *from);
    if (!to || !names_file(from + 1, (size_t)(to - from - 1))) return NULL;
    to++;
  }
  const char *end = ls_skip_space(to);
  if (parenthesis && *end++ != ')') return NULL;
  if (!parenthesis && !into) return NULL; /* quit, or load "x.gr": not written as a call */
  end = ls_skip_space(end);
  if (*end == ';') end = ls_skip_space(end + 1);
  const size_t length = (size_t)(to - from);
  if (*end || length + into_length + 8 > bytes) return NULL;
  snprintf(rest, bytes, "%.*s%s%.*s", (int)length, from, into ? " as " : "", (int)into_length,
           into ? into : "");
  return leave ? "quit" : "load";
}
