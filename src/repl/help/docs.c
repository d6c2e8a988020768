#include "repl/help/docs.h"

#include <ctype.h>
#include <string.h>

#include "core/words.h"

static bool starts(const char *s, size_t len, const char *with) {
  size_t n = strlen(with);
  return len >= n && memcmp(s, with, n) == 0;
}

static size_t name_length(const char *s, size_t len) {
  size_t n = 0;
  while (n < len && (ls_in_name(s[n]) || s[n] == '.' || s[n] == ':')) n++;
  return n;
}

/* Takes the name and the signature from the first line of a block that opens with `--- NAME(ARGS): `. */
static bool own_words(const char *s, size_t len, ls_doc *d) {
  while (len > 0 && (*s == '-' || *s == ' ')) s++, len--;
  size_t n = name_length(s, len);
  const char *line = memchr(s, '\n', len), *close = memchr(s, ')', len);
  if (n == 0 || n == len || s[n] != '(' || !close || (line && close > line) || close[1] != ':') return false;
  d->builtin = d->table = false;
  d->name = d->signature = s;
  d->name_len = n;
  d->signature_len = (size_t)(close - s) + 1;
  return true;
}

/* Reads the line below a block: fills name and signature. False if it defines nothing. */
static bool definition(const char *s, size_t len, ls_doc *d) {
  d->builtin = starts(s, len, "--: ");
  d->table = false;
  if (d->builtin) {
    s += 4, len -= 4;
  } else if (starts(s, len, "function ")) {
    s += 9, len -= 9;
    const char *close = memchr(s, ')', len);
    if (!close) return false;
    len = (size_t)(close - s) + 1;
  } else {
    size_t n = name_length(s, len), after = n;
    while (after < len && s[after] == ' ') after++;
    if (n == 0 || after >= len || s[after] != '=' || starts(s + after, len - after, "==")) return false;
    d->table = true;
    len = n;
  }
  d->signature = s;
  d->signature_len = len;
  d->name = s;
  d->name_len = name_length(s, len);
  return d->name_len > 0;
}

/* Calls each(ctx, doc) for the docs of one file; false if `each` returned false. */
static bool docs_of(const ls_embedded *e, bool (*each)(void *, const ls_doc *), void *ctx) {
  const char *block = NULL, *end = e->text + e->bytes;
  int line = 1;
  for (const char *s = e->text; s < end; line++) {
    const char *next = memchr(s, '\n', (size_t)(end - s));
    size_t len = next ? (size_t)(next - s) : (size_t)(end - s);
    bool comment = starts(s, len, "--"), built_in = starts(s, len, "--: ");
    if (!block && starts(s, len, "---")) {
      block = s;
    } else if (block && (!comment || built_in)) {
      ls_doc d = {.file = e, .line = line, .text = block, .text_len = (size_t)(s - block)};
      if ((definition(s, len, &d) || own_words(block, (size_t)(s - block), &d)) && !each(ctx, &d))
        return false;
      if (!built_in) block = NULL; /* several signatures may share a block */
    }
    s += len + 1;
  }
  return true;
}

static bool has_topics(const ls_embedded *e) { return starts(e->name, strlen(e->name), "help/topics"); }

void ls_docs(bool (*each)(void *, const ls_doc *), void *ctx) {
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++)
    if (!has_topics(e) && !docs_of(e, each, ctx)) return;
}

void ls_topics(bool (*each)(void *, const ls_doc *), void *ctx) {
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++)
    if (has_topics(e)) docs_of(e, each, ctx);
}

typedef struct search {
  const char *name;
  size_t len;
  ls_doc *out;
  bool found;
} search;

static bool is_it(void *ctx, const ls_doc *d) {
  search *s = ctx;
  if (d->name_len != s->len) return true;
  for (size_t i = 0; i < s->len; i++) {
    char a = d->name[i], b = s->name[i];
    if (a != b && !(strchr(".:", a) && strchr(".:", b))) return true;
  }
  *s->out = *d;
  s->found = true;
  return false;
}

bool ls_doc_find(const char *name, ls_doc *out) {
  search s = {name, strlen(name), out, false};
  ls_docs(is_it, &s);
  return s.found;
}

bool ls_doc_in(const ls_embedded *file, const char *name, ls_doc *out) {
  search s = {name, strlen(name), out, false};
  docs_of(file, is_it, &s);
  return s.found;
}

bool ls_topic_find(const char *name, ls_doc *out) {
  search s = {name, strlen(name), out, false};
  ls_topics(is_it, &s);
  return s.found;
}

/* Modules for use within the library. Functions of these modules that users may call have other names outside
 * of the module; the methods of the objects that they return, such as ensemble:row, are public. */
static const char *const modules[] = {"bytecode", "certificate", "cycle",    "dve",    "ensemble", "plots",
                                      "session",  "Statistics",  "symbolic", "Output", "Choice"};

static bool is_module(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (strlen(modules[i]) == len && memcmp(modules[i], name, len) == 0) return true;
  return false;
}

bool ls_doc_internal(const ls_doc *d) {
  const char *dot = memchr(d->name, '.', d->name_len), *colon = memchr(d->name, ':', d->name_len);
  const char *end = dot && (!colon || dot < colon) ? dot : colon;
  if (!end) return false;
  const size_t len = (size_t)(end - d->name);
  return is_module(d->name, len) && (*end == '.' || isupper((unsigned char)*d->name) || !d->builtin);
}

bool ls_doc_helpers(const char *name) { return is_module(name, strlen(name)); }

void ls_doc_text(const ls_doc *d, const char *indent, ls_text *out) {
  const char *s = d->text, *end = d->text + d->text_len;
  while (s < end) {
    const char *next = memchr(s, '\n', (size_t)(end - s));
    if (!next) next = end;
    if (!starts(s, (size_t)(next - s), "--: ")) {
      while (s < next && *s == '-') s++;
      if (s < next && *s == ' ') s++;
      ls_text_puts(out, s < next ? indent : "");
      ls_text_add(out, s, (size_t)(next - s));
      ls_text_putc(out, '\n');
    }
    s = next + 1;
  }
}
