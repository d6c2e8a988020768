#include "load/array.h"

#include <string.h>

#include "core/mem.h"
#include "core/sink.h"
#include "core/wait.h"
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
  return ls_fail(LS_EARG, "%s: the name of a buffer's file ends in .npy, .mtx, .csv, .txt or .bin", path);
}

/* --- reading ------------------------------------------------------------------------------------------- */

/* The file's bytes are the elements. */
static ls_status read_raw(ls_source *s, const ls_array_options *o, ls_buffer **out) {
  if (o->type == LS_NONE)
    return ls_fail(LS_EARG, "%s: a .bin file does not say what it holds: {dtype = \"f32\", cols = 100}",
                   s->path);
  char *bytes;
  size_t count;
  const u64 row = ls_dtype_size(o->type) * (o->cols ? o->cols : 1);
  ls_status st = ls_array_bytes(s, &bytes, &count);
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
  static const ls_array_options none;
  ls_source s;
  const kind k = kind_of(path);
  if (k == KINDS) return unknown(path);
  if (!o) o = &none;
  ls_status st = ls_source_open(&s, path);
  if (st) return st;
  ls_buffer *b = NULL;
  switch (k) {
  case NPY: st = ls_array_read_npy(&s, o->type, &b); break;
  case MTX: st = ls_array_read_mtx(&s, o->type, &b); break;
  case BIN: st = read_raw(&s, o, &b); break;
  default: st = ls_array_read_lines(&s, o->type, &b);
  }
  ls_source_close(&s);
  *out = st ? NULL : b;
  return st;
}

/* --- writing ------------------------------------------------------------------------------------------- */

static void put_text(ls_sink *s, const ls_buffer *b, const void *p, u64 i, char behind) {
  char text[LS_NUMBER_CHARS];
  const ls_number x = ls_number_at(b->type, p, i);
  if (!x.real && x.i >= INT64_MIN && x.i <= INT64_MAX) {
    ls_sink_integer(s, (i64)x.i);
  } else {
    ls_number_text(b->type, x, text);
    ls_sink_bytes(s, text, strlen(text));
  }
  ls_sink_char(s, behind);
}

/* NumPy enhancement proposal 1: a magic word, a dictionary padded to 64 bytes, the elements row after row. */
static void put_npy_head(ls_sink *s, const ls_buffer *b) {
  const char *name = ls_dtype_name(b->type);
  char head[192];
  const int size = (int)ls_dtype_size(b->type);
  int n = snprintf(head, sizeof head, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%llu,",
                   size == 1 ? '|' : '<', name[0], size, (unsigned long long)b->rows);
  if (b->cols) n += snprintf(head + n, sizeof head - (size_t)n, " %llu", (unsigned long long)b->cols);
  n += snprintf(head + n, sizeof head - (size_t)n, "), }");
  while ((10 + n + 1) % 64 != 0) head[n++] = ' ';
  head[n++] = '\n';
  const u8 begin[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (u8)n, (u8)(n >> 8)};
  ls_sink_bytes(s, begin, sizeof begin);
  ls_sink_bytes(s, head, (size_t)n);
}

static void put_raw(ls_sink *s, const ls_buffer *b, const void *p) {
  enum { STRETCH = 1 << 20 };
  const size_t bytes = ls_buffer_bytes(b);
  for (size_t at = 0; at < bytes && !s->st; at += STRETCH) {
    if (ls_interrupted()) s->st = ls_fail(LS_EINTERRUPTED, "%s: interrupted, nothing saved", s->path);
    ls_sink_bytes(s, (const u8 *)p + at, bytes - at < STRETCH ? bytes - at : STRETCH);
  }
}

/* Matrix Market's array form goes by columns; the others by rows. */
static void put_values(ls_sink *s, const ls_buffer *b, const void *p, kind k) {
  const u64 cols = b->cols ? b->cols : 1, rows = b->rows;
  const u64 outer = k == MTX ? cols : rows, inner = k == MTX ? rows : cols;
  if (k == MTX)
    ls_sink_text(s, "%%%%MatrixMarket matrix array %s general\n%llu %llu\n",
                 b->type == LS_F32 || b->type == LS_F64 ? "real" : "integer", (unsigned long long)rows,
                 (unsigned long long)cols);
  for (u64 i = 0; i < outer && !s->st; i++)
    for (u64 j = 0; j < inner && !s->st; j++) {
      const u64 at = k == MTX ? j * cols + i : i * cols + j;
      if ((i * inner + j) % (1 << 16) == 0 && ls_interrupted())
        s->st = ls_fail(LS_EINTERRUPTED, "%s: interrupted, nothing saved", s->path);
      put_text(s, b, p, at, k == MTX || j + 1 == inner ? '\n' : k == CSV ? ',' : ' ');
    }
}

ls_status ls_array_save(const ls_buffer *b, const void *p, const char *path) {
  ls_sink s;
  const kind k = kind_of(path);
  if (k == KINDS) return unknown(path);
  ls_status st = ls_sink_open(&s, path);
  if (st) return st;
  if (k == NPY) put_npy_head(&s, b);
  if (k == NPY || k == BIN)
    put_raw(&s, b, p);
  else
    put_values(&s, b, p, k);
  return ls_sink_close(&s, s.st);
}
