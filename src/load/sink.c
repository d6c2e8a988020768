#include "load/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "load/source.h"

static ls_status fail(ls_sink *s, const char *what) {
  if (!s->st) s->st = ls_fail(LS_EIO, "%s: %s: %s", s->path, what, strerror(errno));
  return s->st;
}

static void write_out(ls_sink *s, const u8 *p, size_t bytes) {
  while (bytes && !s->st) {
    ssize_t n = write(s->fd, p, bytes);
    if (n < 0 && errno == EINTR) {
      if (ls_interrupted()) break;
      continue;
    }
    if (n < 0) {
      fail(s, "cannot write");
      return;
    }
    p += n;
    bytes -= (size_t)n;
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

/* A file of ours beside the target; with the target's permissions, or those that a new file would get. */
static ls_status open_temporary(ls_sink *s, mode_t mode) {
  size_t bytes = strlen(s->target) + 16;
  s->temporary = ls_malloc(bytes);
  if (!s->temporary) return LS_EMEM;
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(s->temporary, bytes, "%s.%d.%d", s->target, (int)getpid() % 1000000, attempt);
    s->fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (s->fd >= 0 || errno != EEXIST) break;
  }
  if (s->fd >= 0) return LS_OK;
  ls_free(s->temporary);
  s->temporary = NULL;
  return fail(s, "cannot create a file there");
}

static ls_status open_target(ls_sink *s) {
  if (strcmp(s->path, "-") == 0) {
    s->fd = dup(STDOUT_FILENO);
    return s->fd >= 0 ? LS_OK : fail(s, "standard output");
  }
  struct stat info;
  bool there = stat(s->path, &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return errno = EISDIR, fail(s, "cannot write");
  if (there && !S_ISREG(info.st_mode)) {
    s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
    return s->fd >= 0 ? LS_OK : fail(s, "cannot open");
  }
  if (there && access(s->path, W_OK) != 0) return fail(s, "cannot write");
  char real[PATH_MAX];
  s->target = ls_strdup(there && realpath(s->path, real) ? real : s->path);
  if (!s->target) return LS_EMEM;
  return open_temporary(s, there ? info.st_mode & 0777 : 0666);
}

ls_status ls_sink_open(ls_sink *s, const char *path) {
  size_t len = strlen(path);
  *s = (ls_sink){.path = path, .fd = -1};
  s->buffer = ls_malloc(LS_SINK_BUFFER);
  ls_status st = s->buffer ? open_target(s) : LS_EMEM;
  if (!st && len > 3 && strcmp(path + len - 3, ".gz") == 0) st = open_gzip(s);
  return st ? ls_sink_close(s, st) : LS_OK;
}

ls_status ls_sink_close(ls_sink *s, ls_status st) {
  if (!s->st) s->st = st;
  if (!s->st) ls_sink_flush(s);
  if (!s->st && s->compressed) deflate_out(s, NULL, 0, Z_FINISH);
  if (!s->st && s->target && fsync(s->fd) != 0) fail(s, "cannot write");
  if (s->fd >= 0 && close(s->fd) != 0) fail(s, "cannot write");
  if (s->temporary && !s->st && rename(s->temporary, s->target) != 0) fail(s, "cannot rename");
  if (s->temporary && s->st) unlink(s->temporary);
  if (s->compressed) deflateEnd(&s->z);
  ls_free(s->packed);
  ls_free(s->buffer);
  ls_free(s->temporary);
  ls_free(s->target);
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
