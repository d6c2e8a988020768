#include "compile/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/embedded.h"

ls_status ls_read_wrong(const ls_reader *r, int line, const char *fmt, ...) {
  char what[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  return ls_fail(LS_EARG, "%s:%d: %s", r->out->name, r->out->line + line, what);
}

static ls_status wrong_before(const ls_reader *r, int line) {
  return ls_fail_prefix(LS_EARG, "%s:%d: ", r->out->name, r->out->line + line);
}

/* --- headers and macros ----------------------------------------------------------------------------------
 */

const char *ls_bundled_header(const char *name) {
  const ls_embedded *e = ls_embedded_find(ls_embedded_headers, name);
  return e ? e->text : NULL;
}

/* The text of a header in the text's folder; NULL: there is none. */
static const char *own_header(ls_reader *r, const char *name) {
  ls_kernel_text *t = r->out;
  char path[4096];
  struct stat st;
  for (int i = 0; i < t->nheaders; i++)
    if (strcmp(t->header[i].name, name) == 0) return t->header[i].text;
  if (strstr(name, "..") || name[0] == '/') return NULL; /* only headers in the text's folder, or below it */
  if (!t->folder || snprintf(path, sizeof path, "%s/%s", t->folder, name) >= (int)sizeof path) return NULL;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > LS_TEXT_MOST) return NULL;
  FILE *f = t->nheaders < LS_TEXT_HEADERS ? fopen(path, "rb") : NULL;
  if (!f) return NULL;
  char *text = ls_kernel_text_take(t, (size_t)st.st_size + 1);
  const size_t got = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
  fclose(f);
  const char *own_name = text ? ls_kernel_text_keep(t, name, strlen(name)) : NULL;
  if (!own_name) return NULL;
  text[got] = '\0';
  t->header[t->nheaders++] = (ls_text_header){own_name, text};
  return text;
}

/* Stores a macro NAME(A, W), NAME(A), or NAME that is a number; ignores other macros. */
static void note_macro(ls_reader *r, const char *text, const ls_token *define) {
  const ls_token *t = define + 1;
  if (r->nmacros == LS_READER_MACROS || t->kind != LS_TOKEN_NAME) return;
  if (t[1].kind == LS_TOKEN_NUMBER && t[2].kind == LS_TOKEN_LINE_END) {
    r->macros[r->nmacros++] = (ls_macro){text, t, {NULL, NULL}, t + 1, t + 2};
    return;
  }
  if (!ls_token_is(text, t + 1, "(") || t[1].spaced || t[2].kind != LS_TOKEN_NAME) return;
  const bool two = ls_token_is(text, t + 3, ",") && t[4].kind == LS_TOKEN_NAME;
  const ls_token *body = t + (two ? 5 : 3), *end;
  if (!ls_token_is(text, body, ")")) return;
  for (end = ++body; end->kind != LS_TOKEN_LINE_END && end->kind != LS_TOKEN_END;) end++;
  r->macros[r->nmacros++] = (ls_macro){text, t, {t + 2, two ? t + 4 : NULL}, body, end};
}

ls_status ls_reader_add(ls_reader *r, const char *name, const char *text, int depth) {
  for (int i = 0; i < r->nfiles; i++)
    if (strcmp(r->seen[i], name) == 0) return LS_OK;
  if (r->nfiles == LS_READER_FILES)
    return ls_fail(LS_EARG, "%s: more than %d headers are included", r->out->name, LS_READER_FILES - 1);
  if (depth > LS_READER_DEEPEST)
    return ls_fail(LS_EARG, "%s: headers are nested more than %d deep", r->out->name, LS_READER_DEEPEST);
  const int at = r->nfiles;
  int line = 0;
  r->seen[at] = name;
  ls_status st = ls_tokens_read(text, &r->files[at], &line);
  if (st && depth == 0 && st == LS_EARG) return wrong_before(r, line);
  if (st) return ls_fail_prefix(st, "%s:%d: ", name, line + 1);
  r->nfiles++;
  for (u32 i = 0; !st && i < r->files[at].count; i++) {
    const ls_token *t = &r->files[at].token[i];
    if (t->kind == LS_TOKEN_DEFINE) note_macro(r, text, t);
    if (t->kind != LS_TOKEN_INCLUDE || t[1].kind != LS_TOKEN_STRING) continue;
    char *header = ls_kernel_text_keep(r->out, text + t[1].at + 1, t[1].len - 2);
    if (!header) return LS_EMEM;
    const char *found = ls_bundled_header(header);
    if (!found) found = own_header(r, header);
    if (found && strcmp(header, "language/kernel.h") != 0) st = ls_reader_add(r, header, found, depth + 1);
    if (!found && depth == 0)
      st = ls_read_wrong(r, t->line,
                         "there is no header \"%s\", neither in kernels/ nor in the folder of this text",
                         header);
  }
  return st;
}

const ls_macro *ls_reader_macro(const ls_reader *r, const char *name, size_t len, bool number) {
  for (int i = r->nmacros - 1; i >= 0; i--) {
    const ls_macro *m = &r->macros[i];
    if (m->name->len == len && memcmp(m->text + m->name->at, name, len) == 0)
      return number == !m->param[0] ? m : NULL;
  }
  return NULL;
}

/* --- lists in parentheses ---------------------------------------------------------------------------------
 */

int ls_read_list(const char *text, const ls_token *t, ls_piece *pieces, int most, const ls_token **after) {
  int depth = 0, n = 0;
  const ls_token *from = t + 1;
  for (;; t++) {
    if (t->kind == LS_TOKEN_END || t->kind == LS_TOKEN_LINE_END || t->kind == LS_TOKEN_DEFINE) return -1;
    if (t->kind != LS_TOKEN_SIGN) continue;
    const char c = text[t->at];
    if (c == '(') depth++;
    if (c == ')') depth--;
    if ((c == ',' && depth == 1) || (c == ')' && depth == 0)) {
      if (n < most) pieces[n] = (ls_piece){from, t};
      n++;
      from = t + 1;
    }
    if (c == ')' && depth == 0) {
      *after = t + 1;
      return n == 1 && pieces[0].from == pieces[0].to ? 0 : n;
    }
  }
}

char *ls_read_name(ls_reader *r, const char *text, const ls_token *t) {
  return ls_kernel_text_keep(r->out, text + t->at, t->len);
}

char *ls_read_string(ls_reader *r, const char *text, const ls_piece *p, bool may_bound) {
  size_t used = 0;
  const ls_token *t = p->from;
  char *out =
      ls_kernel_text_take(r->out, 2 + (p->to > p->from ? p->to[-1].at + p->to[-1].len - p->from->at : 0) + 1);
  if (!out) return NULL;
  if (may_bound && t < p->to && ls_token_is(text, t, "AT_MOST")) {
    memcpy(out, "<=", 2);
    used = 2;
    t++;
  }
  if (t == p->to) return NULL;
  for (; t < p->to; t++) {
    if (t->kind != LS_TOKEN_STRING || text[t->at] != '"') return NULL;
    for (u32 i = t->at + 1; i < t->at + t->len - 1; i++) {
      char c = text[i];
      if (c == '\\') {
        c = text[++i];
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      out[used++] = c;
    }
  }
  return out;
}
