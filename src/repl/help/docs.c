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

/* The next doc of the walk's file. */
static bool next_in_file(ls_doc_walk *w) {
  const char *end = w->file->text + w->file->bytes;
  while (w->at < end) {
    const char *s = w->at, *next = memchr(s, '\n', (size_t)(end - s));
    const size_t len = (size_t)((next ? next : end) - s);
    const bool comment = starts(s, len, "--"), built_in = starts(s, len, "--: ");
    bool defines = false;
    w->at = next ? next + 1 : end;
    w->line++;
    if (!w->block && starts(s, len, "---")) {
      w->block = s;
    } else if (w->block && (!comment || built_in)) {
      const size_t above = (size_t)(s - w->block);
      w->doc = (ls_doc){.file = w->file, .line = w->line, .text = w->block, .text_len = above};
      defines = definition(s, len, &w->doc) || own_words(w->block, above, &w->doc);
      if (!built_in) w->block = NULL; /* several signatures may share a block */
    }
    if (defines) return true;
  }
  return false;
}

static bool has_topics(const ls_embedded *e) { return starts(e->name, strlen(e->name), "help/topics"); }

bool ls_doc_next(ls_doc_walk *w) {
  while (!w->file || !next_in_file(w)) {
    do w->file = w->file ? w->file + 1 : ls_embedded_lua;
    while (w->file->name && has_topics(w->file) != w->topics);
    if (!w->file->name) return false;
    w->at = w->file->text;
    w->block = NULL;
    w->line = 0;
  }
  return true;
}

static bool is_called(const ls_doc *d, const char *name) {
  if (d->name_len != strlen(name)) return false;
  for (size_t i = 0; i < d->name_len; i++) {
    const char a = d->name[i], b = name[i];
    if (a != b && !(strchr(".:", a) && strchr(".:", b))) return false;
  }
  return true;
}

/* Finds a doc by the walk's `next`. */
static bool find(ls_doc_walk w, bool (*next)(ls_doc_walk *), const char *name, ls_doc *out) {
  while (next(&w))
    if (is_called(&w.doc, name)) return *out = w.doc, true;
  return false;
}

bool ls_doc_find(const char *name, ls_doc *out) {
  return find((ls_doc_walk){.topics = false}, ls_doc_next, name, out);
}

bool ls_topic_find(const char *name, ls_doc *out) {
  return find((ls_doc_walk){.topics = true}, ls_doc_next, name, out);
}

bool ls_doc_in(const ls_embedded *file, const char *name, ls_doc *out) {
  return find((ls_doc_walk){.file = file, .at = file->text}, next_in_file, name, out);
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
