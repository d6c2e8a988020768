#include "core/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "core/source.h"

/* Writes 1 MiB at a time, so that an interrupt is noticed. */
static void write_out(ls_sink *s, const u8 *p, size_t bytes) {
  enum { STRETCH = 1 << 20 };
  for (size_t n; bytes && !s->st && !ls_interrupted(); p += n, bytes -= n) {
    n = bytes < STRETCH ? bytes : STRETCH;
    s->st = ls_atomic_file_write(&s->file, p, n);
  }
  if (!s->st && ls_interrupted()) s->st = ls_fail(LS_EINTERRUPTED, "%s: interrupted, nothing saved", s->path);
}

static void deflate_out(ls_sink *s, const u8 *p, size_t bytes, int flush) {
  s->z.next_in = (u8 *)(uintptr_t)p;
  s->z.avail_in = (unsigned)bytes;
  int rc;
  do {
    s->z.next_out = s->packed;
    s->z.avail_out = LS_SINK_BUFFER;
    rc = deflate(&s->z, flush);
    write_out(s, s->packed, LS_SINK_BUFFER - s->z.avail_out);
  } while (!s->st && (s->z.avail_out == 0 || (flush == Z_FINISH && rc == Z_OK)));
}

static ls_status open_gzip(ls_sink *s) {
  s->z.zalloc = ls_z_alloc;
  s->z.zfree = ls_z_free;
  s->packed = ls_malloc(LS_SINK_BUFFER);
  if (!s->packed || deflateInit2(&s->z, 4, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return LS_EMEM;
  s->compressed = true;
  return LS_OK;
}

static ls_status open_file(ls_sink *s) {
  if (strcmp(s->path, "-") != 0) return ls_atomic_file_open(&s->file, s->path);
  s->file = (ls_atomic_file){.path = s->path, .fd = dup(STDOUT_FILENO), .slot = -1};
  return s->file.fd >= 0 ? LS_OK : ls_fail(LS_EIO, "%s: standard output: %s", s->path, strerror(errno));
}

ls_status ls_sink_open(ls_sink *s, const char *path) {
  size_t len = strlen(path);
  *s = (ls_sink){.path = path, .file.fd = -1};
  s->buffer = ls_malloc(LS_SINK_BUFFER);
  ls_status st = s->buffer ? open_file(s) : LS_EMEM;
  if (!st && len > 3 && strcmp(path + len - 3, ".gz") == 0) st = open_gzip(s);
  return st ? ls_sink_close(s, st) : LS_OK;
}

ls_status ls_sink_close(ls_sink *s, ls_status st) {
  if (!s->st) s->st = st;
  if (!s->st) ls_sink_flush(s);
  if (!s->st && s->compressed) deflate_out(s, NULL, 0, Z_FINISH);
  if (s->file.fd >= 0) s->st = ls_atomic_file_close(&s->file, s->st);
  if (s->compressed) deflateEnd(&s->z);
  ls_free(s->packed);
  ls_free(s->buffer);
  return s->st;
}

void ls_sink_flush(ls_sink *s) {
  if (!s->st && s->compressed)
    deflate_out(s, s->buffer, s->used, Z_NO_FLUSH);
  else if (!s->st)
    write_out(s, s->buffer, s->used);
  s->bytes += s->used;
  s->used = 0;
  ls_progress(s->path, s->total ? s->done : s->bytes, s->total);
}

void ls_sink_bytes(ls_sink *s, const void *p, size_t bytes) {
  for (const u8 *at = p; bytes && !s->st;) {
    size_t room = LS_SINK_BUFFER - s->used, n = bytes < room ? bytes : room;
    memcpy(s->buffer + s->used, at, n);
    s->used += n;
    at += n;
    bytes -= n;
    if (s->used == LS_SINK_BUFFER) ls_sink_flush(s);
  }
}

void ls_sink_text(ls_sink *s, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (n > 0) ls_sink_bytes(s, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void ls_sink_integer(ls_sink *s, i64 x) {
  char *to = ls_sink_room(s), digits[20];
  u64 left = x < 0 ? -(u64)x : (u64)x;
  int n = 0, at = 0;
  do digits[n++] = (char)('0' + left % 10);
  while (left /= 10);
  if (x < 0) to[at++] = '-';
  while (n) to[at++] = digits[--n];
  s->used += (size_t)at;
}
