#include "repl/call_commands.h"

#include <ctype.h>
#include <string.h>

static const char *skip(const char *s) {
  while (isspace((unsigned char)*s)) s++;
  return s;
}

static size_t name_length(const char *s) {
  size_t n = 0;
  if (isdigit((unsigned char)*s)) return 0;
  while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
  return n;
}

static bool is_word(const char *s, size_t n, const char *word) {
  return strlen(word) == n && memcmp(s, word, n) == 0;
}

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
  const char *s = skip(line), *into = NULL;
  size_t n = name_length(s), into_length = 0;
  if (n == 0) return NULL;
  const char *after = skip(s + n);
  if (*after == '=' && after[1] != '=') { /* g = load("x.gr") */
    into = s, into_length = n;
    s = skip(after + 1), n = name_length(s), after = skip(s + n);
  }
  const bool leave = !into && (is_word(s, n, "quit") || is_word(s, n, "exit"));
  if (!leave && !is_word(s, n, "load")) return NULL;
  const bool parenthesis = *after == '(';
  const char *from = parenthesis ? skip(after + 1) : after, *to = from;
  if (leave) {
    while (isdigit((unsigned char)*to)) to++;
  } else {
    if (*from != '"' && *from != '\'') return NULL;
    to = strchr(from + 1, *from);
    if (!to || !names_file(from + 1, (size_t)(to - from - 1))) return NULL;
    to++;
  }
  const char *end = skip(to);
  if (parenthesis && *end++ != ')') return NULL;
  if (!parenthesis && !into) return NULL; /* already a command line */
  end = skip(end);
  if (*end == ';') end = skip(end + 1);
  const size_t length = (size_t)(to - from);
  if (*end || length + into_length + 8 > bytes) return NULL;
  memcpy(rest, from, length);
  rest[length] = '\0';
  if (into) {
    strcat(rest, " as ");
    strncat(rest, into, into_length);
  }
  return leave ? "quit" : "load";
}
