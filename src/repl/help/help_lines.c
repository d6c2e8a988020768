#include "repl/help/help_lines.h"

#include <stdarg.h>
#include <string.h>

#include "core/wrap_text.h"
#include "core/output.h"
#include "repl/commands/command.h"

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

/* --- text in the terminal's width ------------------------------------------------------------------- */

enum { NARROWEST = 20 }; /* columns; in a narrower terminal, lines are not folded */

static size_t indent_of(const char *line) { return strspn(line, " "); }

/* The indentation of the continuation lines of a long line: under the last of its columns (separated by two
 * blanks) that begins in the left half of the terminal; without columns, the line's own indentation, plus 2
 * if that is above 2. */
static int hanging(const char *s, size_t bytes, int columns) {
  const size_t indent = indent_of(s);
  int hang = (int)(indent > 2 ? indent + 2 : indent);
  for (size_t i = indent + 2; i < bytes; i++)
    if (s[i] != ' ' && s[i - 1] == ' ' && s[i - 2] == ' ' && ls_columns(s, i) <= columns / 2)
      hang = ls_columns(s, i);
  return hang;
}

/* Prints the rest of a line after `used` columns, broken between words; continuation lines are indented by
 * `hang`. */
static void say_folded(const char *s, size_t bytes, int used, int hang, int columns) {
  for (size_t cut; (cut = ls_wrap_text(s, bytes, columns - 1 - used, NULL)) < bytes; used = hang) {
    ls_say("%.*s\n%*s", (int)cut, s, hang, "");
    while (cut < bytes && s[cut] == ' ') cut++;
    s += cut, bytes -= cut;
  }
  ls_say("%.*s\n", (int)bytes, s);
}

/* The length in bytes of the paragraph at `text` (consecutive lines of the same indentation); *widest is the
 * width of its widest line. */
static size_t paragraph(const char *text, int *widest) {
  const size_t indent = indent_of(text);
  size_t bytes = 0;
  *widest = 0;
  while (text[bytes] && text[bytes] != '\n' && indent_of(text + bytes) == indent &&
         text[bytes + indent] != '\n') {
    const size_t len = strcspn(text + bytes, "\n");
    const int wide = ls_columns(text + bytes, len);
    if (wide > *widest) *widest = wide;
    bytes += len + (text[bytes + len] == '\n');
  }
  return bytes;
}

/* Refills a paragraph. A line break is kept after a line that is shorter than two thirds of the widest. */
static void fill(const char *s, size_t bytes, int widest, int columns) {
  const size_t indent = indent_of(s);
  ls_text line = {0};
  for (size_t at = 0; at < bytes;) {
    const size_t len = strcspn(s + at, "\n");
    if (line.len > 0) ls_text_putc(&line, ' ');
    ls_text_add(&line, s + at + (line.len > 0 ? indent : 0), len - (line.len > 0 ? indent : 0));
    const bool ends = ls_columns(s + at, len) * 3 < widest * 2;
    at += len + 1;
    if (ends || at >= bytes) {
      say_folded(ls_text_str(&line), line.len, 0, (int)indent, columns);
      ls_text_cut(&line, 0);
    }
  }
  ls_text_free(&line);
}

void help_flow(const char *text) {
  const int columns = ls_output_columns();
  if (columns < NARROWEST) {
    ls_say("%s", text);
    return;
  }
  const size_t base = indent_of(text);
  while (*text) {
    int widest = 0;
    size_t len = paragraph(text, &widest);
    if (len > 0 && indent_of(text) <= base && widest > columns - 1) {
      fill(text, len, widest, columns);
    } else {
      len = strcspn(text, "\n");
      say_folded(text, len, 0, hanging(text, len, columns), columns);
      len += text[len] == '\n';
    }
    text += len;
  }
}

void help_fold(const char *fmt, ...) {
  ls_text text = {0};
  va_list ap;
  va_start(ap, fmt);
  ls_text_vprintf(&text, fmt, ap);
  va_end(ap);
  const int columns = ls_output_columns();
  if (columns < NARROWEST)
    ls_say("%s\n", ls_text_str(&text));
  else
    say_folded(ls_text_str(&text), text.len, 0, hanging(ls_text_str(&text), text.len, columns), columns);
  ls_text_free(&text);
}

static int legible_columns(void) { return ls_output_columns() > 40 ? ls_output_columns() : 100; }

void help_rest(const char *text, int used) { say_folded(text, strlen(text), used, 2, legible_columns()); }

/* The first sentence of a doc: up to a full stop before a space, to a colon that ends its line, or to an
 * empty line. Ends of lines become spaces. */
static void first_sentence(const char *doc, size_t bytes, ls_text *out) {
  for (size_t i = 0; i < bytes; i++) {
    const char next = i + 1 < bytes ? doc[i + 1] : '\n', before = i > 0 ? doc[i - 1] : ' ';
    const bool stop = doc[i] == '.' && (next == ' ' || next == '\n') && before != '.' &&
                      !(i > 1 && doc[i - 2] == '.'); /* not in `..` and `e.g.` */
    if (doc[i] == '\n' && next == '\n') return;
    if (doc[i] == ':' && next == '\n') return ls_text_putc(out, '.');
    ls_text_putc(out, doc[i] == '\n' ? ' ' : doc[i]);
    if (stop) return;
  }
}

void help_line(const char *name, size_t len, const char *doc, size_t doc_len) {
  enum { LEFT = 22 };
  ls_text line = {0};
  ls_text_printf(&line, "  %-*.*s ", LEFT - 2, (int)len, name);
  if (len >= LEFT - 2) {
    ls_say("  %.*s\n", (int)len, name);
    ls_text_cut(&line, 0);
    ls_text_printf(&line, "%*s", LEFT + 1, "");
  }
  first_sentence(doc, doc_len, &line);
  say_folded(ls_text_str(&line), line.len, 0, LEFT + 1, legible_columns());
  ls_text_free(&line);
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
    s = colon + 3; /* skips "f(g): " */
  help_line(d->name, d->name_len, s, strlen(s));
  ls_text_free(&text);
}
