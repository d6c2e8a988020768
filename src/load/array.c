#include "load/array.h"

#include <string.h>

#include "core/mem.h"
#include "core/npy.h"
#include "core/sink.h"
#include "data/reduce.h"
#include "load/array_format.h"

typedef enum kind { NPY, MTX, CSV, TXT, BIN, KINDS } kind;
static const char *const endings[KINDS] = {".npy", ".mtx", ".csv", ".txt", ".bin"};

static kind kind_of(const char *path) {
  int k = 0;
  while (k < KINDS && !ls_path_ends(path, endings[k])) k++;
  return (kind)k;
}

static ls_status unknown(const char *path) {
  return ls_fail(LS_EARG, "%s: the name of a buffer's file must end in .npy, .mtx, .csv, .txt or .bin", path);
}

/* Only a .csv file can leave a field empty. */
static ls_status may_be_empty(const char *path, kind k, const ls_number *none) {
  return !none || k == CSV
             ? LS_OK
             : ls_fail(LS_EARG, "%s: none = ... is for .csv files, whose fields can be empty", path);
}

/* Replaces x by the value that an element of that type stores for it. */
static ls_status as_element(ls_dtype type, ls_number *x) {
  u64 element; /* the widest has 8 bytes */
  ls_status st = ls_number_put(type, &element, 0, *x);
  if (st) return ls_fail_prefix(st, "none: ");
  *x = ls_number_at(type, &element, 0);
  return LS_OK;
}

/* --- reading ------------------------------------------------------------------------------------------- */

/* Reads a .bin file, whose bytes are the elements. */
static ls_status read_raw(ls_source *s, const ls_array_options *o, ls_buffer **out) {
  if (o->type == LS_NONE)
    return ls_fail(LS_EARG,
                   "%s: a .bin file does not say what it holds; give its type and columns, as in "
                   "{dtype = \"f32\", cols = 100}",
                   s->path);
  u64 row, left;
  if (__builtin_mul_overflow(ls_dtype_size(o->type), o->cols ? o->cols : 1, &row))
    return ls_fail(LS_EARG, "%s: rows of %llu columns are too long", s->path, (unsigned long long)o->cols);
  if (ls_source_left(s, &left)) {
    if (left % row != 0)
      return ls_fail(LS_EINPUT, "%s: expected rows of %llu bytes, found %llu bytes in all", s->path,
                     (unsigned long long)row, (unsigned long long)left);
    return ls_array_read_elements(s, o->type, left / row, o->cols, o->from, o->to, out);
  }
  if (o->from || o->to) /* the number of rows is not known */
    return ls_fail(LS_EINPUT, "%s: rows = {...} needs a file that is not compressed", s->path);
  char *bytes;
  size_t count;
  ls_status st = ls_source_read_all(s, SIZE_MAX, &bytes, &count);
  if (st) return st;
  if (count % row != 0)
    st = ls_fail(LS_EINPUT, "%s: expected rows of %llu bytes, found %llu bytes in all", s->path,
                 (unsigned long long)row, (unsigned long long)count);
  if (!st) st = ls_buffer_new(o->type, count / row, o->cols, out);
  void *p = st ? NULL : ls_buffer_overwrite(*out);
  if (!st && !p) {
    ls_buffer_release(*out);
    st = LS_EMEM;
  }
  if (!st) memcpy(p, bytes, count);
  ls_free(bytes);
  return st;
}

ls_status ls_array_load(const char *path, const ls_array_options *o, ls_buffer **out) {
  ls_source s;
  const kind k = kind_of(path);
  if (k == KINDS) return unknown(path);
  if ((o->from || o->to) && k != NPY && k != BIN)
    return ls_fail(LS_EARG, "%s: rows = {...} is for .npy and .bin files", path);
  ls_status st = may_be_empty(path, k, o->none);
  if (!st && o->none && o->type != LS_NONE)
    st = as_element(o->type, &(ls_number){o->none->real, o->none->r, o->none->i});
  if (!st) st = ls_source_open(&s, path);
  if (st) return st;
  ls_buffer *b = NULL;
  switch (k) {
  case NPY: st = ls_array_read_npy(&s, o->type, o->from, o->to, &b); break;
  case MTX: st = ls_array_read_mtx(&s, o->type, &b); break;
  case BIN: st = read_raw(&s, o, &b); break;
  default: st = ls_array_read_lines(&s, o->type, k == CSV, o->none, &b);
  }
  ls_source_close(&s);
  *out = st ? NULL : b;
  return st;
}

/* --- writing ------------------------------------------------------------------------------------------- */

struct ls_array_writer {
  ls_sink sink;
  kind kind;
  ls_dtype type;
  u64 rows, cols, put;
  bool some_none;
  ls_number none; /* the value that is written as an empty field, if some_none */
};

static void put_text(ls_sink *s, ls_dtype type, ls_number x, char behind) {
  char text[LS_NUMBER_CHARS];
  if (!x.real && x.i >= INT64_MIN && x.i <= INT64_MAX) {
    ls_sink_integer(s, (i64)x.i);
  } else {
    ls_number_text(type, x, text);
    ls_sink_bytes(s, text, strlen(text));
  }
  ls_sink_char(s, behind);
}

static void put_npy_head(ls_array_writer *w) {
  char head[LS_NPY_HEAD];
  ls_npy_head(w->type, w->cols ? 2 : 1, (u64[LS_NPY_DIMENSIONS]){w->rows, w->cols}, head);
  ls_sink_bytes(&w->sink, head, sizeof head);
}

static void put_rows(ls_array_writer *w, const void *p, u64 rows) {
  const u64 cols = w->cols ? w->cols : 1;
  for (u64 i = 0; i < rows * cols && !w->sink.st; i++) {
    const char behind = (i + 1) % cols == 0 ? '\n' : w->kind == CSV ? ',' : ' ';
    const ls_number x = ls_number_at(w->type, p, i);
    if (w->some_none && ls_number_same(x, w->none))
      ls_sink_text(&w->sink, "%s%c", cols == 1 ? "\"\"" : "", behind); /* readers skip an empty line */
    else
      put_text(&w->sink, w->type, x, behind);
  }
}

/* Matrix Market's array form is column-major, so all rows are written at once. */
static void put_market(ls_array_writer *w, const void *p) {
  const u64 cols = w->cols ? w->cols : 1;
  ls_sink *s = &w->sink;
  ls_sink_text(s, "%%%%MatrixMarket matrix array %s general\n%llu %llu\n",
               w->type == LS_F32 || w->type == LS_F64 ? "real" : "integer", (unsigned long long)w->rows,
               (unsigned long long)cols);
  for (u64 j = 0; j < cols; j++)
    for (u64 i = 0; i < w->rows && !s->st; i++)
      put_text(s, w->type, ls_number_at(w->type, p, i * cols + j), '\n');
}

ls_status ls_array_begin(const char *path, ls_dtype type, u64 rows, u64 cols, const ls_number *none,
                         ls_array_writer **out) {
  const kind k = kind_of(path);
  if (k == KINDS) return unknown(path);
  ls_number empty = none ? *none : (ls_number){0};
  ls_status st = may_be_empty(path, k, none);
  if (!st && none) st = as_element(type, &empty);
  if (st) return st;
  ls_array_writer *w = ls_calloc(1, sizeof *w);
  if (!w) return LS_EMEM;
  w->kind = k;
  w->type = type;
  w->rows = rows;
  w->cols = cols;
  w->some_none = none != NULL;
  w->none = empty;
  st = ls_sink_open(&w->sink, path);
  if (st) {
    ls_free(w);
    return st;
  }
  w->sink.total = rows;
  if (k == NPY) put_npy_head(w);
  *out = w;
  return LS_OK;
}

ls_status ls_array_put(ls_array_writer *w, const void *p, u64 rows) {
  if (rows > w->rows - w->put || (w->kind == MTX && rows != w->rows))
    return ls_fail(LS_EARG,
                   w->kind == MTX ? "%s: a .mtx file is stored by columns: it takes all %llu rows at once"
                                  : "%s: more rows than the %llu that were announced",
                   w->sink.path, (unsigned long long)w->rows);
  if (w->kind == MTX)
    put_market(w, p);
  else if (w->kind == NPY || w->kind == BIN)
    ls_sink_bytes(&w->sink, p, rows * (w->cols ? w->cols : 1) * ls_dtype_size(w->type));
  else
    put_rows(w, p, rows);
  w->put += rows;
  w->sink.done = w->put;
  return w->sink.st;
}

ls_status ls_array_end(ls_array_writer *w, ls_status st) {
  if (!st && w->put < w->rows)
    st = ls_fail(LS_EARG, "%s: %llu of %llu rows were put: nothing saved", w->sink.path,
                 (unsigned long long)w->put, (unsigned long long)w->rows);
  st = ls_sink_close(&w->sink, st);
  ls_free(w);
  return st;
}

ls_status ls_array_save(const ls_buffer *b, const void *p, const char *path, const ls_number *none) {
  ls_array_writer *w;
  ls_status st = ls_array_begin(path, b->type, b->rows, b->cols, none, &w);
  if (st) return st;
  w->sink.total = 0; /* all rows are put at once, so progress is shown in bytes */
  return ls_array_end(w, ls_array_put(w, p, b->rows));
}
