#include "model/file_text.h"

#include "core/mem.h"
#include "core/source.h"

ls_status ls_model_file_text(const char *path, size_t most, char **text, size_t *bytes) {
  ls_source s;
  size_t room = 1 << 16, got = 0;
  *text = NULL;
  *bytes = 0;
  ls_status st = ls_source_open(&s, path);
  if (st) return st;
  if (!(*text = ls_malloc(room + 1))) st = LS_EMEM;
  while (!st) {
    st = ls_source_read(&s, *text + *bytes, room - *bytes, &got);
    *bytes += got;
    if (!st && *bytes > most)
      st = ls_fail(LS_EINPUT, "%s: more than %zu MiB, the limit for a file of a model", path, most >> 20);
    if (st || *bytes < room) break;
    char *more = ls_realloc(*text, 2 * room + 1);
    if (!more) st = LS_EMEM;
    if (more) *text = more, room *= 2;
  }
  ls_source_close(&s);
  if (!st) {
    (*text)[*bytes] = 0;
    return LS_OK;
  }
  ls_free(*text);
  *text = NULL;
  return st;
}
