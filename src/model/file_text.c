#include "model/file_text.h"

#include "core/mem.h"
#include "core/source.h"

ls_status ls_model_file_text(const char *path, size_t most, char **text, size_t *bytes) {
  ls_source s;
  ls_status st = ls_source_open(&s, path);
  if (st) return st;
  st = ls_source_read_all(&s, most, text, bytes);
  ls_source_close(&s);
  if (st) return st;
  (*text)[*bytes] = 0;
  if (*bytes <= most) return LS_OK;
  ls_free(*text);
  return ls_fail(LS_EINPUT, "%s: more than %zu MiB, the limit for a file of a model", path, most >> 20);
}
