#include "repl/help/help_field.h"

#include <string.h>

#include "core/words.h"
#include "repl/help/docs.h"

/* The first place where the text has r.FIELD; NULL if none. */
static const char *find(const char *text, const char *field) {
  const size_t n = strlen(field);
  for (const char *s = text; (s = strstr(s, "r.")); s += 2)
    if ((s == text || !ls_in_name(s[-1])) && strncmp(s + 2, field, n) == 0 && !ls_in_name(s[2 + n])) return s;
  return NULL;
}

/* Appends an entry of a list, "  r.p, r.q   lambda = p/q ...": the line and its continuation lines, which are
 * indented by at least 5 columns. */
static void add_entry(const char *line, const char *end, ls_text *out) {
  const char *next = memchr(line, '\n', (size_t)(end - line));
  while (next && strncmp(next + 1, "     ", 5) == 0) next = memchr(next + 1, '\n', (size_t)(end - next - 1));
  ls_text_add(out, line, (size_t)((next ? next : end) - line));
}

static bool ends_sentence(const char *s) { return *s == '.' && (s[1] == ' ' || s[1] == '\n' || !s[1]); }

/* Is the line before the one that begins at s indented? */
static bool after_list(const char *text, const char *s) {
  for (s--; s > text && s[-1] != '\n'; s--) {}
  return *s == ' ';
}

/* Appends the sentence around `at`, joined into one line. */
static void add_sentence(const char *text, const char *at, ls_text *out) {
  const char *from = at, *to = at;
  while (from > text && !ends_sentence(from - 1) && !(from[-1] == '\n' && after_list(text, from))) from--;
  from = ls_skip_space(from);
  while (*to && !ends_sentence(to)) to++;
  ls_text_puts(out, "  ");
  for (const char *s = from; s < to + (*to == '.'); s++) ls_text_putc(out, *s == '\n' ? ' ' : *s);
}

bool help_field(const char *kind, const char *field, ls_text *out) {
  ls_doc d;
  ls_text text = {0};
  const char *at = NULL;
  if (ls_doc_find(kind, &d)) {
    ls_doc_text(&d, "", &text);
    at = find(ls_text_str(&text), field);
  }
  if (at) {
    const char *line = at;
    while (line > text.s && line[-1] != '\n') line--;
    if (strncmp(line, "  r.", 4) == 0)
      add_entry(line, text.s + text.len, out);
    else
      add_sentence(text.s, at, out);
    ls_text_putc(out, '\n');
  }
  ls_text_free(&text);
  return at != NULL;
}
