/* Reads NumPy's .npy (NumPy enhancement proposal 1, versions 1 to 3): numbers in either byte order, row-major
 * or column-major. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "load/array_format.h"

typedef struct npy {
  ls_dtype type;
  bool narrow;     /* i1: read as u8, then converted to i16 */
  bool swapped;    /* the other byte order */
  bool by_columns; /* fortran_order */
  u64 rows, cols;  /* cols 0: a vector */
} npy;

static ls_status wrong(const ls_source *s, const char *expected, const char *found) {
  return ls_fail(LS_EINPUT, "%s: expected %s, found %.*s", s->path, expected, (int)strcspn(found, "'\"}\n"),
                 found);
}

/* The value of a key in the dictionary; NULL: it is absent. */
static const char *value_of(const char *dictionary, const char *key) {
  const char *at = strstr(dictionary, key);
  if (!at) return NULL;
  at += strlen(key);
  while (*at == '\'' || *at == '"' || *at == ':' || *at == ' ') at++;
  return at;
}

/* Parses a type, for example '<i4'. */
static bool read_type(const char *descr, npy *out) {
  static const struct {
    const char *name;
    ls_dtype type;
  } types[] = {{"u1", LS_U8},  {"u2", LS_U16}, {"u4", LS_U32}, {"u8", LS_U64}, {"i2", LS_I16}, {"i4", LS_I32},
               {"i8", LS_I64}, {"f4", LS_F32}, {"f8", LS_F64}, {"b1", LS_U8},  {"i1", LS_U8}};
  const char order = strchr("<>|=", *descr) && *descr ? *descr++ : '=';
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(descr, types[i].name, 2) == 0 && !isalnum((unsigned char)descr[2])) {
      out->type = types[i].type;
      out->swapped = order == '>';
      out->narrow = strcmp(types[i].name, "i1") == 0;
      return true;
    }
  return false;
}

/* Parses (3,), (3, 4), () or, if row-major, (2, 3, 4): this becomes a matrix of 6 x 4, the rows of two
 * matrices of 3 x 4 one after the other. */
static bool read_shape(const char *shape, npy *out) {
  u64 size[3] = {1, 0, 0};
  int n = 0;
  if (*shape++ != '(') return false;
  for (;;) {
    while (*shape == ' ' || *shape == ',') shape++;
    if (*shape == ')') break;
    char *end;
    if (!isdigit((unsigned char)*shape) || n == (out->by_columns ? 2 : 3)) return false;
    size[n++] = strtoull(shape, &end, 10);
    shape = end;
  }
  if (n == 3 && __builtin_mul_overflow(size[0], size[1], &size[0])) return false;
  out->rows = size[0];
  out->cols = n < 2 ? 0 : size[n - 1];
  return n < 2 || out->cols > 0;
}

static ls_status read_head(ls_source *s, npy *out) {
  u8 begin[12];
  size_t got;
  ls_status st = ls_source_read(s, begin, 10, &got);
  if (st) return st;
  if (got < 10 || memcmp(begin, "\x93NUMPY", 6) != 0)
    return wrong(s, "a file of NumPy's .npy format", "other bytes");
  u64 bytes = begin[8] | begin[9] << 8;
  if (begin[6] >= 2) { /* the length has four bytes */
    st = ls_source_read(s, begin + 10, 2, &got);
    if (st) return st;
    bytes |= got == 2 ? (u64)begin[10] << 16 | (u64)begin[11] << 24 : 0;
  }
  if (begin[6] < 1 || begin[6] > 3 || bytes > 1 << 16)
    return wrong(s, "version 1, 2 or 3 of .npy", "another");
  char *text = ls_calloc(1, bytes + 1);
  if (!text) return LS_EMEM;
  st = ls_source_read(s, text, bytes, &got);
  const char *descr = value_of(text, "descr"), *order = value_of(text, "fortran_order"),
             *shape = value_of(text, "shape");
  if (!st && (got < bytes || !descr || !order || !shape))
    st = wrong(s, "a header with descr, fortran_order and shape", got < bytes ? "the file's end" : text);
  if (!st && !read_type(descr, out))
    st = wrong(s, "numbers of u1 u2 u4 u8 i1 i2 i4 i8 f4 f8 or b1 (descr)", descr);
  out->by_columns = order && strncmp(order, "True", 4) == 0;
  if (!st && !read_shape(shape, out))
    st = wrong(s, "a vector, a matrix, or by rows three dimensions (shape)", shape);
  ls_free(text);
  return st;
}

static void swap_bytes(u8 *p, size_t size) {
  for (size_t i = 0; i < size / 2; i++) {
    const u8 x = p[i];
    p[i] = p[size - 1 - i];
    p[size - 1 - i] = x;
  }
}

/* Replaces *b by a new buffer of the same shape, whose elements `fill` computes from those of *b. */
static ls_status remake(const npy *head, ls_dtype type, ls_buffer **b,
                        void (*fill)(const npy *head, u64 count, const void *from, void *to)) {
  ls_buffer *made;
  ls_status st = ls_buffer_new(type, (*b)->rows, (*b)->cols, &made);
  if (st) return st;
  const void *from = ls_buffer_read(*b);
  void *to = ls_buffer_overwrite(made);
  if (!from || !to) {
    ls_buffer_release(made);
    return LS_EMEM;
  }
  fill(head, made->count, from, to);
  ls_buffer_release(*b);
  *b = made;
  return LS_OK;
}

/* Converts column-major order to row-major. */
static void by_rows(const npy *head, u64 count, const void *from, void *to) {
  const u64 size = ls_dtype_size(head->type);
  for (u64 i = 0; i < count; i++)
    memcpy((u8 *)to + i * size, (const u8 *)from + (i % head->cols * head->rows + i / head->cols) * size,
           size);
}

/* Converts int8 to i16, because buffers cannot have elements of int8. */
static void widen(const npy *head, u64 count, const void *from, void *to) {
  (void)head;
  for (u64 i = 0; i < count; i++) ((i16 *)to)[i] = ((const int8_t *)from)[i];
}

ls_status ls_array_read_npy(ls_source *s, ls_dtype type, u64 from, u64 to, ls_buffer **out) {
  npy head = {0};
  ls_buffer *b = NULL;
  ls_status st = read_head(s, &head);
  if (!st && head.by_columns && head.cols && (from || to))
    return ls_fail(LS_EINPUT,
                   "%s: rows = {...} cannot be used with a file that is stored by columns (fortran_order)",
                   s->path);
  if (!st) st = ls_array_read_elements(s, head.type, head.rows, head.cols, from, to, &b);
  if (!st && head.by_columns && head.cols && b->count) st = remake(&head, head.type, &b, by_rows);
  if (!st && head.swapped && b->count) {
    u8 *p = ls_buffer_update(b);
    if (!p) st = LS_EMEM;
    const size_t size = ls_dtype_size(head.type);
    for (u64 i = 0; !st && i < b->count; i++) swap_bytes(p + i * size, size);
  }
  if (!st && head.narrow) st = remake(&head, LS_I16, &b, widen);
  if (st) {
    if (b) ls_buffer_release(b);
    return st;
  }
  st = ls_array_as(b, type, out);
  return st ? ls_fail_prefix(st == LS_EARG ? LS_EINPUT : st, "%s: ", s->path) : LS_OK;
}
