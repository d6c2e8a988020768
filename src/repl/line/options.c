/* Finds the options of a function in its doc, without running code: in braces in the signature and in
 * examples, and in list lines such as "  weights = "i32"   their type". For an algorithm of the library, also
 * in its source, in the call of algorithm.options. */
#include "repl/line/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/words.h"
#include "repl/help/docs.h"
#include "repl/repl.h"

/* The index of the innermost bracket that is open at `end`; -1 if none. */
static int open_bracket(const char *line, int end) {
  int depth = 0;
  for (int i = end - 1; i >= 0; i--) {
    if (strchr(")}]", line[i])) depth++;
    if (strchr("({[", line[i]) && depth-- == 0) return i;
  }
  return -1;
}

/* Finds the function name, such as gen.rmat, before the bracket at `at`; returns its length, 0 if none. */
static size_t called(const char *line, int at, const char **name) {
  int end = at;
  while (end > 0 && line[end - 1] == ' ') end--;
  int from = end;
  while (from > 0 && (ls_in_name(line[from - 1]) || strchr(".:", line[from - 1]))) from--;
  *name = line + from;
  return (size_t)(end - from);
}

/* Options in braces: {scale =, degree = 16}, also within optional arguments: [, {n =, m =}]. */
static void in_braces(const char *s, size_t len, void (*each)(void *, const char *), void *ctx) {
  int depth = 0;
  for (size_t i = 0; i < len; i++) {
    if (s[i] == '{') depth++;
    if (s[i] == '}' && depth > 0) depth--;
    if (!depth || !ls_in_name(s[i]) || isdigit((unsigned char)s[i]) || ls_in_name(s[i - 1]) ||
        s[i - 1] == '.')
      continue;
    size_t n = 0;
    while (i + n < len && ls_in_name(s[i + n])) n++;
    size_t after = i + n;
    while (after < len && s[after] == ' ') after++;
    char name[48];
    const bool equals = after < len && s[after] == '=' && (after + 1 == len || s[after + 1] != '=');
    if (equals && n < sizeof name) {
      snprintf(name, sizeof name, "%.*s", (int)n, s + i);
      each(ctx, name);
    }
    i += n - 1;
  }
}

/* Options in a list: an indented line `name = value`, at least two blanks, and the meaning. */
static void in_list(const char *text, void (*each)(void *, const char *), void *ctx) {
  for (const char *line = text; *line;) {
    const size_t len = strcspn(line, "\n"), indent = strspn(line, " ");
    size_t n = 0;
    while (ls_in_name(line[indent + n])) n++;
    char name[48];
    const char *after = line + indent + n;
    const bool equals = strncmp(after, " = ", 3) == 0;
    const char *gap = equals ? strstr(after + 3, "  ") : NULL;
    const size_t value = gap ? (size_t)(gap - after) : 0;
    const bool call =
        gap && isalpha((unsigned char)after[3]) && (memchr(after, '(', value) || memchr(after, '{', value));
    if (!call && indent >= 2 && n > 0 && n < sizeof name && gap && gap < line + len) {
      snprintf(name, sizeof name, "%.*s", (int)n, line + indent);
      each(ctx, name);
    }
    line += len + (line[len] == '\n');
  }
}

/* The field names of the table constructor at s, which is Lua source. */
static void of_table(const char *s, void (*each)(void *, const char *), void *ctx) {
  for (int depth = 0; *s; s++) {
    if (*s == '"' || *s == '\'') {
      const char *end = strchr(s + 1, *s);
      if (!end) return;
      s = end;
      continue;
    }
    if (strchr("{(", *s)) depth++;
    if (strchr("})", *s) && --depth <= 0) return;
    if (depth != 1 || !ls_in_name(*s)) continue;
    size_t n = 0;
    while (ls_in_name(s[n])) n++;
    char name[48];
    if (strncmp(s + n, " = ", 3) == 0 && n < sizeof name) {
      snprintf(name, sizeof name, "%.*s", (int)n, s);
      each(ctx, name);
    }
    s += n - 1;
  }
}

/* The options in the table that an algorithm of the library passes to algorithm.options, either directly or
 * as a local variable. */
static void of_specs(const ls_doc *d, void (*each)(void *, const char *), void *ctx) {
  char call[160];
  snprintf(call, sizeof call, "algorithm.options(\"%.*s\", options, ", (int)d->name_len, d->name);
  const char *s = strstr(d->file->text, call);
  if (!s) return;
  s += strlen(call);
  size_t n = 0;
  while (ls_in_name(s[n])) n++;
  if (n > 0 && n < 40) {
    char local[64];
    snprintf(local, sizeof local, "local %.*s = {", (int)n, s);
    s = strstr(d->file->text, local);
    s = s ? s + strlen(local) - 1 : "";
  }
  of_table(s, each, ctx);
}

void ls_option_names(lua_State *L, const char *line, int start, void (*each)(void *, const char *),
                     void *ctx) {
  int before = start;
  while (before > 0 && line[before - 1] == ' ') before--;
  if (before == 0 || !strchr("{,;", line[before - 1])) return;
  const int brace = open_bracket(line, before);
  if (brace < 0 || line[brace] != '{') return;
  const char *name;
  size_t len = called(line, brace, &name);
  if (!len) { /* bfs(g, 0, {...}) */
    const int parenthesis = open_bracket(line, brace);
    if (parenthesis < 0 || line[parenthesis] != '(') return;
    len = called(line, parenthesis, &name);
  }
  char chain[128];
  ls_doc d;
  if (!len || len >= sizeof chain) return;
  snprintf(chain, sizeof chain, "%.*s", (int)len, name);
  if (!ls_help_doc(L, chain, &d)) return;
  ls_text text = {0};
  ls_doc_text(&d, "", &text);
  in_braces(d.signature, d.signature_len, each, ctx);
  if (text.len) in_braces(text.s, text.len, each, ctx);
  in_list(ls_text_str(&text), each, ctx);
  if (!d.builtin) of_specs(&d, each, ctx);
  ls_text_free(&text);
}
