#include "load/array_format.h"

#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"

ls_status ls_array_as(ls_buffer *from, ls_dtype type, ls_buffer **out) {
  *out = from;
  if (type == LS_NONE || type == from->type) return LS_OK;
  ls_buffer *b;
  ls_status st = ls_buffer_new(type, from->rows, from->cols, &b);
  const void *p = st ? NULL : ls_buffer_read(from);
  void *q = st ? NULL : ls_buffer_overwrite(b);
  if (!st && (!p || !q)) st = LS_EMEM;
  for (u64 i = 0; !st && i < from->count; i++) {
    st = ls_number_put(type, q, i, ls_number_at(from->type, p, i));
    if (st) ls_fail_prefix(st, "element %llu: ", (unsigned long long)i);
  }
  ls_buffer_release(from);
  *out = st ? NULL : b;
  if (st && q) ls_buffer_release(b);
  return st;
}

ls_status ls_array_read_elements(ls_source *s, ls_dtype type, u64 rows, u64 cols, u64 from, u64 to,
                                 ls_buffer **out) {
  enum { STRETCH = 1 << 22 };
  const u64 size = ls_dtype_size(type), width = cols ? cols : 1;
  u64 row, all, left;
  if (from == 0 && to == 0) to = rows;
  if (from > to || to > rows)
    return ls_fail(LS_EARG, "%s: expected a range of its rows, found %llu to %llu of %llu", s->path,
                   (unsigned long long)from, (unsigned long long)to, (unsigned long long)rows);
  if (__builtin_mul_overflow(width, size, &row) || __builtin_mul_overflow(row, rows, &all) || all > INT64_MAX)
    return ls_fail(LS_EINPUT, "%s: expected a shape that fits 64 bits, found a larger one", s->path);
  if (ls_source_left(s, &left) && left != all)
    return ls_fail(LS_EINPUT, "%s: expected %llu bytes of elements, found %llu", s->path,
                   (unsigned long long)all, (unsigned long long)left);
  ls_buffer *b;
  ls_status st = ls_buffer_new(type, to - from, cols, &b);
  if (st) return st;
  u8 *p = b->count ? ls_buffer_overwrite(b) : NULL;
  const u64 bytes = row * (to - from);
  if (b->count && !p) st = LS_EMEM;
  if (!st) st = ls_source_skip(s, row * from);
  for (u64 at = 0; !st && at < bytes;) {
    const size_t want = bytes - at < STRETCH ? bytes - at : STRETCH;
    size_t got = 0;
    if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "%s: interrupted", s->path);
    if (!st) st = ls_source_read(s, p + at, want, &got);
    at += got;
    if (!st && got < want)
      st = ls_fail(LS_EINPUT, "%s: expected %llu bytes of elements, found %llu", s->path,
                   (unsigned long long)all, (unsigned long long)(row * from + at));
    if (!st) ls_source_progress(s);
  }
  u8 more;
  size_t got = 0;
  if (!st && to == rows) st = ls_source_read(s, &more, 1, &got);
  if (!st && got > 0)
    st = ls_fail(LS_EINPUT, "%s: expected %llu bytes of elements, found more", s->path,
                 (unsigned long long)all);
  ls_progress_end();
  if (st) ls_buffer_release(b);
  *out = st ? NULL : b;
  return st;
}
