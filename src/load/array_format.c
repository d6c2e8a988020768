#include "load/array_format.h"

#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"

ls_status ls_array_bytes(ls_source *s, char **out, size_t *bytes) {
  size_t room = 1 << 16, used = 0, got = 1;
  char *t = ls_malloc(room);
  ls_status st = t ? LS_OK : LS_EMEM;
  while (!st && got > 0) {
    if (room - used < 1 << 15) {
      char *larger = ls_realloc(t, room *= 2);
      if (!larger) st = LS_EMEM;
      if (larger) t = larger;
    }
    if (!st && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "%s: interrupted", s->path);
    if (!st) st = ls_source_read(s, t + used, room - used - 2, &got);
    used += st ? 0 : got;
    ls_source_progress(s);
  }
  ls_progress_end();
  if (st) {
    ls_free(t);
    return st;
  }
  memcpy(t + used, "\n", 2);
  *out = t;
  *bytes = used;
  return LS_OK;
}

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
