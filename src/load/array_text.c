/* Reads matrices from text: .csv and .txt, one row per line, and the array form of Matrix Market, one element
 * per line. The text is parsed twice: first to count the elements and to find their type, then to store them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"
#include "core/text.h"
#include "core/wait.h"
#include "data/reduce.h"
#include "load/array_format.h"

typedef struct text {
  const char *path, *begin, *end;
  u64 line;              /* number of the line being read, from 1 */
  bool csv;              /* fields can be empty */
  const ls_number *none; /* the value of an empty field; NULL: an empty field is an error */
} text;

/* Reads the rest of a source, which must be text. The caller passes *bytes to ls_free, also after a failure.
 */
static ls_status take_text(ls_source *s, text *t, char **bytes) {
  size_t count;
  *bytes = NULL;
  ls_status st = ls_source_read_all(s, SIZE_MAX, bytes, &count);
  if (st) return st;
  *t = (text){.path = s->path, .begin = *bytes, .end = *bytes + count};
  return memchr(*bytes, '\0', count) ? ls_fail(LS_EINPUT, "%s: expected text, found a byte 0", s->path)
                                     : LS_OK;
}

static ls_status wrong(const text *t, const char *expected, const char *found) {
  char word[40];
  size_t n = strcspn(found, ",; \t\r\n");
  if (n == 0 && *found && *found != '\n' && *found != '\r') n = 1;
  snprintf(word, sizeof word, "%.*s", (int)(n < 36 ? n : 36), found);
  return ls_fail(LS_EINPUT, "%s:%llu: expected %s, found %s%s%s", t->path, (unsigned long long)t->line,
                 expected, n ? "'" : "", n ? word : "the end of the line", n ? "'" : "");
}

static const char *blanks(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r') p++;
  return p;
}

static bool word_is(const char *p, const char *word, const char **after) {
  const size_t n = strlen(word);
  if (strncasecmp(p, word, n) != 0 || isalnum((unsigned char)p[n])) return false;
  *after = p + n;
  return true;
}

/* Reads an integer (exactly), a real number, inf or nan. NULL: there is none. */
static const char *read_number(const char *p, ls_number *x) {
  enum { MOST_DIGITS = 38 };
  const char *q = p + (*p == '-' || *p == '+'), *after;
  ls_i128 whole = 0;
  int digits = 0;
  for (; isdigit((unsigned char)*q) && digits < MOST_DIGITS; q++, digits++) whole = whole * 10 + (*q - '0');
  if (digits > 0 && !isdigit((unsigned char)*q) && *q != '.' && *q != 'e' && *q != 'E') {
    *x = (ls_number){.i = *p == '-' ? -whole : whole};
    return q;
  }
  const bool word = digits == 0 && (word_is(q, "inf", &after) || word_is(q, "infinity", &after) ||
                                    word_is(q, "nan", &after));
  if (digits == 0 && !word && !(*q == '.' && isdigit((unsigned char)q[1]))) return NULL;
  char *end;
  *x = (ls_number){.real = true, .r = strtod(p, &end)};
  return end;
}

/* The destination of the values and, from the first pass, their type. */
typedef struct values {
  u64 count;
  bool real, narrow; /* some value is real; all integers fit i32 */
  ls_dtype type;
  void *into; /* NULL: the first pass */
} values;

static ls_status store_value(values *v, const text *t, u64 at, ls_number x) {
  v->count++;
  if (!v->into) {
    v->real |= x.real;
    v->narrow &= x.real || (x.i >= INT32_MIN && x.i <= INT32_MAX);
    return LS_OK;
  }
  ls_status st = ls_number_put(v->type, v->into, at, x);
  return st ? ls_fail_prefix(st == LS_EARG ? LS_EINPUT : st, "%s:%llu: ", t->path,
                             (unsigned long long)t->line)
            : LS_OK;
}

static ls_status interrupted(const text *t) {
  return t->line % 4096 == 0 && ls_interrupted() ? ls_fail(LS_EINTERRUPTED, "%s: interrupted", t->path)
                                                 : LS_OK;
}

/* Chooses the type by what the first pass found, and allocates the buffer. */
static ls_status make(values *v, ls_dtype type, u64 rows, u64 cols, ls_buffer **out) {
  v->type = type != LS_NONE ? type : v->real ? LS_F64 : v->narrow ? LS_I32 : LS_I64;
  v->count = 0;
  ls_status st = ls_buffer_new(v->type, rows, cols, out);
  if (st) return st;
  v->into = ls_buffer_overwrite(*out);
  return v->into ? LS_OK : LS_EMEM;
}

/* --- one row per line ---------------------------------------------------------------------------------- */

/* The end of an empty field, which may be quoted and must be if it is the whole line. NULL: it is not
 * empty. */
static const char *empty_field(const char *p) {
  if (p[0] == '"' && p[1] == '"') p = blanks(p + 2);
  return strchr(",;\n", *p) ? p : NULL;
}

/* Is this a line of column names: not empty, and without any number? */
static bool is_heading(const char *p) {
  ls_number x;
  bool names = false;
  for (; *p != '\n'; p++) {
    p = blanks(p);
    if (read_number(p, &x)) return false;
    names |= !empty_field(p);
    p += strcspn(p, ",; \t\n");
    if (*p == '\n') break;
  }
  return names;
}

static ls_status read_row(const text *t, const char **at, values *v, u64 *count) {
  const char *p = *at;
  ls_status st = LS_OK;
  for (*count = 0; !st;) {
    ls_number x;
    const char *q = t->csv ? empty_field(p) : NULL;
    if (q && !t->none)
      return ls_fail(
          LS_EINPUT,
          "%s:%llu: expected a number, found an empty field (none = VALUE reads such fields as VALUE)",
          t->path, (unsigned long long)t->line);
    if (q)
      x = *t->none;
    else
      q = read_number(p, &x);
    if (!q) return wrong(t, "a number", p);
    if (!strchr(",; \t\r\n", *q)) return wrong(t, "a number", p);
    st = store_value(v, t, v->count, x);
    ++*count;
    p = blanks(q);
    if (*p == '\n') break;
    if (*p == ',' || *p == ';') p = blanks(p + 1);
  }
  *at = p;
  return st;
}

static ls_status read_rows(text *t, values *v, u64 *rows, u64 *cols) {
  ls_status st = LS_OK;
  *rows = 0;
  t->line = 1;
  for (const char *p = t->begin; !st && p < t->end; p++, t->line++) {
    const char *q = blanks(p);
    if (*q != '\n' && *q != '#' && !(*rows == 0 && is_heading(q))) {
      u64 count;
      st = read_row(t, &q, v, &count);
      if (!st && *rows > 0 && count != *cols)
        st = ls_fail(LS_EINPUT, "%s:%llu: expected %llu number%s, as in the first row, found %llu", t->path,
                     (unsigned long long)t->line, (unsigned long long)*cols, ls_plural(*cols),
                     (unsigned long long)count);
      *cols = count;
      ++*rows;
    }
    p = q + strcspn(q, "\n");
    if (!st) st = interrupted(t);
  }
  return st;
}

ls_status ls_array_read_lines(ls_source *s, ls_dtype type, bool csv, const ls_number *none, ls_buffer **out) {
  char *bytes;
  text t;
  ls_status st = take_text(s, &t, &bytes);
  values v = {.narrow = true};
  u64 rows, cols = 0;
  ls_buffer *b = NULL;
  t.csv = csv;
  t.none = none;
  if (!st) st = read_rows(&t, &v, &rows, &cols);
  if (!st && rows == 0) st = ls_fail(LS_EINPUT, "%s: expected rows of numbers, found none", s->path);
  if (!st) st = make(&v, type, rows, cols > 1 ? cols : 0, &b);
  if (!st) st = read_rows(&t, &v, &rows, &cols);
  ls_free(bytes);
  if (st && b) ls_buffer_release(b);
  *out = b;
  return st;
}

/* --- Matrix Market ------------------------------------------------------------------------------------- */

typedef struct market {
  u64 rows, cols;
  bool symmetric, skew; /* the file has the lower triangle, column by column; skew: without the diagonal */
} market;

/* Moves to the next line that is neither blank nor a comment. False: there is none. */
static bool next_line(text *t, const char **at) {
  for (const char *p = *at; p < t->end; p++) {
    t->line++;
    const char *q = blanks(p);
    if (*q != '\n' && *q != '%') {
      *at = q;
      return true;
    }
    p = q + strcspn(q, "\n");
  }
  *at = t->end;
  return false;
}

static ls_status read_banner(text *t, const char **at, market *m) {
  char word[5][24] = {{0}};
  const char *p = *at;
  for (int i = 0; i < 5; i++) {
    p = blanks(p);
    const size_t n = strcspn(p, " \t\r\n");
    snprintf(word[i], sizeof word[i], "%.*s", (int)(n < 23 ? n : 23), p);
    p += n;
  }
  t->line = 1;
  if (strcmp(word[0], "%%MatrixMarket") != 0 || strcasecmp(word[1], "matrix") != 0)
    return wrong(t, "%%MatrixMarket matrix array ...", *at);
  if (strcasecmp(word[2], "coordinate") == 0)
    return ls_fail(LS_EINPUT,
                   "%s:1: expected the array form, found coordinates; these are read as a graph: "
                   "matrix.of(graph.load(path))",
                   t->path);
  if (strcasecmp(word[2], "array") != 0) return wrong(t, "array", word[2]);
  if (strcasecmp(word[3], "real") != 0 && strcasecmp(word[3], "integer") != 0 &&
      strcasecmp(word[3], "double") != 0)
    return wrong(t, "real or integer", word[3]);
  m->skew = strcasecmp(word[4], "skew-symmetric") == 0;
  m->symmetric = m->skew || strcasecmp(word[4], "symmetric") == 0;
  if (!m->symmetric && strcasecmp(word[4], "general") != 0)
    return wrong(t, "general, symmetric or skew-symmetric", word[4]);
  *at = p + strcspn(p, "\n") + 1;
  return LS_OK;
}

static ls_status read_size(text *t, const char **at, market *m) {
  ls_number size[2];
  if (!next_line(t, at))
    return ls_fail(LS_EINPUT, "%s: expected rows and columns, found the end of the file", t->path);
  const char *p = *at;
  for (int i = 0; i < 2; i++) {
    const char *q = read_number(blanks(p), &size[i]);
    if (!q || size[i].real || size[i].i < 0 || size[i].i > UINT32_MAX)
      return wrong(t, "rows and columns", blanks(p));
    p = q;
  }
  p = blanks(p);
  if (*p != '\n') return wrong(t, "the end of the line", p);
  m->rows = (u64)size[0].i;
  m->cols = (u64)size[1].i;
  *at = p + 1;
  if (m->cols == 0)
    return ls_fail(LS_EINPUT, "%s:%llu: expected at least one column", t->path, (unsigned long long)t->line);
  if (m->symmetric && m->rows != m->cols)
    return ls_fail(LS_EINPUT, "%s:%llu: expected as many rows as columns, found %llu and %llu", t->path,
                   (unsigned long long)t->line, (unsigned long long)m->rows, (unsigned long long)m->cols);
  return LS_OK;
}

/* Reads the elements: one number per line, column after column. */
static ls_status read_entries(text *t, const char *p, const market *m, values *v) {
  ls_status st = LS_OK;
  for (u64 j = 0; !st && j < m->cols; j++)
    for (u64 i = m->symmetric ? j + m->skew : 0; !st && i < m->rows; i++) {
      ls_number x;
      if (!next_line(t, &p))
        return ls_fail(LS_EINPUT, "%s: expected the element (%llu, %llu), found the end of the file", t->path,
                       (unsigned long long)i + 1, (unsigned long long)j + 1);
      const char *q = read_number(p, &x);
      if (!q || (*(q = blanks(q)) != '\n')) return wrong(t, "one number", q ? q : p);
      st = store_value(v, t, i * m->cols + j, x);
      if (m->skew) x = (ls_number){x.real, -x.r, -x.i};
      if (!st && m->symmetric && i != j) st = store_value(v, t, j * m->cols + i, x);
      p = q + 1;
      if (!st) st = interrupted(t);
    }
  if (!st && next_line(t, &p)) st = wrong(t, "the end of the file", p);
  return st;
}

ls_status ls_array_read_mtx(ls_source *s, ls_dtype type, ls_buffer **out) {
  char *bytes;
  text t;
  ls_status st = take_text(s, &t, &bytes);
  values v = {.narrow = true};
  market m = {0};
  const char *at = bytes;
  ls_buffer *b = NULL;
  if (!st) st = read_banner(&t, &at, &m);
  if (!st) st = read_size(&t, &at, &m);
  const u64 line = st ? 0 : t.line;
  if (!st) st = read_entries(&t, at, &m, &v);
  if (!st) st = make(&v, type, m.rows, m.cols > 1 ? m.cols : 0, &b);
  if (!st && m.skew) memset(v.into, 0, ls_buffer_bytes(b)); /* the diagonal is not in the file */
  t.line = line;
  if (!st) st = read_entries(&t, at, &m, &v);
  ls_free(bytes);
  if (st && b) ls_buffer_release(b);
  *out = b;
  return st;
}
