#include "repl/help_lines.h"

#include <stdarg.h>
#include <string.h>

#include "core/output.h"
#include "repl/command.h"

void help_bold(const char *fmt, ...) {
  ls_text text = {0};
  va_list ap;
  va_start(ap, fmt);
  ls_text_vprintf(&text, fmt, ap);
  va_end(ap);
  if (ls_out.color) ls_say_raw("\033[1m");
  ls_say("%s", ls_text_str(&text));
  if (ls_out.color) ls_say_raw("\033[m");
  ls_text_free(&text);
}

void help_line(const char *name, size_t len, const char *doc, size_t doc_len) {
  enum { LEFT = 22 };
  const char *end = memchr(doc, '\n', doc_len);
  if (end) doc_len = (size_t)(end - doc);
  int columns = ls_output_columns();
  ls_say("  %-*.*s", LEFT - 2, (int)len, name);
  if (len >= LEFT - 2) ls_say("\n%*s", LEFT, "");
  size_t room = (size_t)(columns > 40 ? columns : 100) - LEFT - 2;
  const char *more = doc_len > room ? "..." : "";
  if (*more) doc_len = room - 3;
  while (*more && doc_len > 0 && ((unsigned char)doc[doc_len] & 0xc0) == 0x80) doc_len--;
  ls_say(" %.*s%s\n", (int)doc_len, doc, more);
}

bool help_same_name(const ls_doc *a, const ls_doc *b) {
  return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

void help_doc_line(const ls_doc *d, ls_doc *last) {
  if (last->name && help_same_name(d, last)) return;
  *last = *d;
  ls_text text = {0};
  ls_doc_text(d, "", &text);
  const char *s = ls_text_str(&text), *colon = strstr(s, "): ");
  if (text.len > d->name_len && memcmp(s, d->name, d->name_len) == 0 && colon)
    s = colon + 3; /* "f(g): what" */
  help_line(d->name, d->name_len, s, strlen(s));
  ls_text_free(&text);
}
