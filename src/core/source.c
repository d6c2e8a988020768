#include "core/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"

static bool ends(const char *s, size_t len, const char *ext) {
  size_t n = strlen(ext);
  return len > n && strncasecmp(s + len - n, ext, n) == 0;
}

bool ls_path_ends(const char *path, const char *ext) {
  size_t len = strlen(path);
  if (ends(path, len, ".gz")) len -= 3;
  return ends(path, len, ext);
}

/* --- raw bytes of the file --------------------------------------------------------------------------- */

/* Polls before each read, so that an interrupt gets through: a pipe or a terminal may have no bytes for a
 * long time. Files are opened with O_NONBLOCK, because opening a named pipe would wait for a writer. */
static ls_status wait_for_bytes(const ls_source *s) {
  while (!s->regular) {
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    int ready = poll(&p, 1, 50);
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", s->path);
    if (ready != 0) break;
  }
  return LS_OK;
}

static ls_status read_fd(ls_source *s, void *to, size_t want, size_t *got) {
  *got = 0;
  while (*got < want && !s->raw_end) {
    ls_status st = wait_for_bytes(s);
    if (st) return st;
    ssize_t n = read(s->fd, (u8 *)to + *got, want - *got);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0)
      return ls_fail(LS_EINPUT, "%s: byte %llu: %s", s->path, (unsigned long long)s->raw_at, strerror(errno));
    s->raw_end = n == 0;
    *got += (size_t)n;
    s->raw_at += (u64)n;
  }
  return LS_OK;
}

static ls_status refill(ls_source *s) {
  s->raw_from = 0;
  return read_fd(s, s->raw, LS_SOURCE_RAW, &s->raw_to);
}

static ls_status read_plain(ls_source *s, void *to, size_t want, size_t *got) {
  size_t ready = s->raw_to - s->raw_from;
  if (ready > want) ready = want;
  memcpy(to, s->raw + s->raw_from, ready);
  s->raw_from += ready;
  size_t more;
  ls_status st = read_fd(s, (u8 *)to + ready, want - ready, &more);
  *got = ready + more;
  return st;
}

/* --- gzip -------------------------------------------------------------------------------------------- */

void *ls_z_alloc(void *unused, unsigned count, unsigned size) {
  (void)unused;
  return ls_malloc((size_t)count * size);
}

void ls_z_free(void *unused, void *p) {
  (void)unused;
  ls_free(p);
}

static bool looks_gzip(const u8 *p, size_t bytes) {
  return bytes >= 4 && p[0] == 0x1f && p[1] == 0x8b && p[2] == 8 && p[3] < 0x20;
}

static ls_status corrupt(const ls_source *s, const char *why) {
  u64 at = s->raw_at - (s->raw_to - s->raw_from);
  return ls_fail(LS_EINPUT, "%s: byte %llu of the gzip data: %s", s->path, (unsigned long long)at, why);
}

static ls_status read_gzip(ls_source *s, void *to, size_t want, size_t *got) {
  *got = 0;
  while (*got < want) {
    if (s->raw_from == s->raw_to) {
      ls_status st = refill(s);
      if (st) return st;
      if (s->raw_to == 0) return s->inflating ? corrupt(s, "truncated") : LS_OK;
    }
    if (!s->inflating) { /* after a member only another one may follow */
      if (!looks_gzip(s->raw + s->raw_from, s->raw_to - s->raw_from))
        return corrupt(s, "extra data after the end");
      inflateReset(&s->z);
      s->inflating = true;
    }
    size_t room = want - *got < 1u << 30 ? want - *got : 1u << 30;
    s->z.next_in = s->raw + s->raw_from;
    s->z.avail_in = (unsigned)(s->raw_to - s->raw_from);
    s->z.next_out = (u8 *)to + *got;
    s->z.avail_out = (unsigned)room;
    int rc = inflate(&s->z, Z_NO_FLUSH);
    s->raw_from = s->raw_to - s->z.avail_in;
    *got += room - s->z.avail_out;
    if (rc == Z_STREAM_END)
      s->inflating = false;
    else if (rc == Z_MEM_ERROR)
      return LS_EMEM; /* ls_z_alloc has set the message */
    else if (rc != Z_OK && rc != Z_BUF_ERROR)
      return corrupt(s, s->z.msg ? s->z.msg : "not gzip data");
  }
  return LS_OK;
}

/* --- the source -------------------------------------------------------------------------------------- */

static ls_status read_any(ls_source *s, void *to, size_t want, size_t *got) {
  return s->compressed ? read_gzip(s, to, want, got) : read_plain(s, to, want, got);
}

static ls_status open_gzip(ls_source *s) {
  bool named = ends(s->path, strlen(s->path), ".gz"),
       binary = ls_path_ends(s->path, ".egr") || ls_path_ends(s->path, ".bin");
  /* A binary format may begin with any bytes, including those that identify gzip. */
  s->compressed = looks_gzip(s->raw, s->raw_to) && (named || !binary);
  if (named && !s->compressed)
    return ls_fail(LS_EINPUT, "%s: %s", s->path,
                   s->raw_to ? "not gzip data, though its name says so" : "the file is empty");
  if (!s->compressed) return LS_OK;
  s->z.zalloc = ls_z_alloc;
  s->z.zfree = ls_z_free;
  if (inflateInit2(&s->z, 15 + 16) == Z_OK) return LS_OK;
  s->compressed = false;
  return LS_EMEM;
}

ls_status ls_source_open(ls_source *s, const char *path) {
  memset(s, 0, sizeof *s);
  s->path = path;
  s->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (s->fd < 0) return ls_fail(LS_EINPUT, "%s: %s", path, strerror(errno));
  struct stat info;
  ls_status st = LS_OK;
  if (fstat(s->fd, &info) != 0)
    st = ls_fail(LS_EINPUT, "%s: %s", path, strerror(errno));
  else if (S_ISDIR(info.st_mode))
    st = ls_fail(LS_EINPUT, "%s: a directory, not a file", path);
  if (!st && S_ISREG(info.st_mode)) s->regular = true, s->size = (u64)info.st_size;
  if (!st && !(s->raw = ls_malloc(LS_SOURCE_RAW))) st = LS_EMEM;
  if (!st) st = refill(s);
  if (!st) st = open_gzip(s);
  if (!st) st = read_any(s, s->head, LS_SOURCE_HEAD, &s->head_bytes);
  if (!st && s->head_bytes == 0) st = ls_fail(LS_EINPUT, "%s: the file is empty", path);
  if (st) ls_source_close(s);
  return st;
}

void ls_source_close(ls_source *s) {
  if (s->compressed) inflateEnd(&s->z);
  s->compressed = false;
  ls_free(s->raw);
  s->raw = NULL;
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
}

ls_status ls_source_read(ls_source *s, void *to, size_t want, size_t *got) {
  size_t ready = s->head_bytes - s->head_taken;
  if (ready > want) ready = want;
  memcpy(to, s->head + s->head_taken, ready);
  s->head_taken += ready;
  size_t more;
  ls_status st = read_any(s, (u8 *)to + ready, want - ready, &more);
  *got = ready + more;
  s->at += *got;
  return st;
}

ls_status ls_source_read_all(ls_source *s, size_t most, char **out, size_t *bytes) {
  size_t room = 1 << 16, used = 0, got = 1;
  char *t = ls_malloc(room);
  ls_status st = t ? LS_OK : LS_EMEM;
  while (!st && got > 0 && used <= most) {
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

ls_status ls_source_skip(ls_source *s, u64 bytes) {
  if (s->regular && !s->compressed) {
    s->at += bytes;
    s->head_taken = s->head_bytes;
    s->raw_from = s->raw_to = 0;
    s->raw_at = s->at;
    s->raw_end = false;
    if (lseek(s->fd, (off_t)s->at, SEEK_SET) >= 0) return LS_OK;
    return ls_fail(LS_EINPUT, "%s: %s", s->path, strerror(errno));
  }
  u8 passed[4096];
  size_t got = 1;
  for (u64 left = bytes; left > 0 && got > 0; left -= got) {
    ls_status st = ls_source_read(s, passed, left < sizeof passed ? left : sizeof passed, &got);
    if (st) return st;
  }
  return LS_OK;
}

bool ls_source_left(const ls_source *s, u64 *bytes) {
  if (!s->regular || s->compressed) return false;
  *bytes = s->size > s->at ? s->size - s->at : 0;
  return true;
}

void ls_source_progress(const ls_source *s) { ls_progress(s->path, s->raw_at, s->size); }
