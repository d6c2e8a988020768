#include "ode/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/npy.h"
#include "core/text.h"
#include "core/wait.h"
#include "ode/print_equation.h"

struct ls_stream {
  FILE *file;
  char *path;   /* of the open file */
  char *target; /* file that the open file will replace; NULL: it is written directly */
  mode_t mode;  /* permissions of the target; 0: those of a new file */
  bool begun;
  u32 columns;
  bool npy, bare; /* bare: only rows, as a part of another file */
  u64 group, rows;
  f64 flushed; /* time of the last flush */
  ls_status st;
};

/* The file to name in messages: the target, because s->path may be a temporary file. */
static const char *name_of(const ls_stream *s) { return s->target ? s->target : s->path; }

static ls_status fail(ls_stream *s, int why) {
  return s->st = ls_fail(LS_EIO, "%s: cannot write: %s", name_of(s), strerror(why));
}

static void npy_head(const ls_stream *s, char head[LS_NPY_HEAD]) {
  if (s->group)
    ls_npy_head(LS_F64, 3, (u64[LS_NPY_DIMENSIONS]){s->rows / s->group, s->group, s->columns}, head);
  else
    ls_npy_head(LS_F64, 2, (u64[LS_NPY_DIMENSIONS]){s->rows, s->columns}, head);
}

/* Writes the rows first, then their number, so that a reader always finds whole rows. */
static ls_status flush(ls_stream *s) {
  char head[LS_NPY_HEAD];
  s->flushed = ls_now();
  if (fflush(s->file) || ferror(s->file)) return fail(s, errno);
  if (!s->npy || s->bare) return LS_OK;
  npy_head(s, head);
  return pwrite(fileno(s->file), head, sizeof head, 0) == sizeof head ? LS_OK : fail(s, errno);
}

void ls_stream_name(FILE *f, const char *name) {
  const bool plain = strcspn(name, ",\"\r\n") == strlen(name);
  if (!plain) fputc('"', f);
  for (; *name; name++) {
    if (*name == '"') fputc('"', f);
    fputc(*name, f);
  }
  if (!plain) fputc('"', f);
}

/* Writes the header of a file with as many rows as s. */
static void put_head(const ls_stream *s, const char *const *names, FILE *to) {
  if (s->bare) return;
  if (s->npy) {
    char head[LS_NPY_HEAD];
    npy_head(s, head);
    fwrite(head, 1, sizeof head, to);
    return;
  }
  for (u32 k = 0; k < s->columns; k++) {
    if (k) fputc(',', to);
    ls_stream_name(to, names[k]);
  }
  fputc('\n', to);
}

/* Checks that the open file begins with the header `want`, except for the number of rows, and is long enough.
 */
static ls_status check_head(const ls_stream *s, const char *want, size_t bytes,
                            const ls_stream_place *place) {
  struct stat about;
  if (fstat(fileno(s->file), &about)) return ls_fail(LS_EIO, "%s: cannot read: %s", s->path, strerror(errno));
  if ((u64)about.st_size < place->bytes)
    return ls_fail(LS_EINPUT, "%s: expected the %llu bytes that were written before, found %llu", s->path,
                   (unsigned long long)place->bytes, (unsigned long long)about.st_size);
  char *found = ls_calloc(bytes + 1, 1);
  if (!found) return LS_EMEM;
  const bool all = pread(fileno(s->file), found, bytes, 0) == (ssize_t)bytes;
  ls_status st = LS_OK;
  if (s->npy && !s->bare) { /* the first number of the shape is the present number of rows or groups */
    char head[LS_NPY_HEAD];
    const char *shape = strchr(found + 10, '(');
    ls_stream now = *s;
    now.rows = (shape ? strtoull(shape + 1, NULL, 10) : 0) * (s->group ? s->group : 1);
    npy_head(&now, head);
    if (!all || memcmp(head, found, bytes) != 0)
      st = ls_fail(LS_EINPUT, "%s: expected the array that was streamed before, found another file", s->path);
  } else if (!all || memcmp(want, found, bytes) != 0) {
    st = ls_fail(LS_EINPUT, "%s:1: expected '%.*s', found '%.*s'", s->path, (int)strcspn(want, "\n"), want,
                 (int)strcspn(found, "\n"), found);
  }
  ls_free(found);
  return st;
}

static ls_status begin_output(ls_stream *s, const char *const *names) {
  put_head(s, names, s->file);
  return flush(s);
}

/* Checks that the open file can be continued at that position. */
static ls_status check(const ls_stream *s, const char *const *names, const ls_stream_place *place) {
  char *want = NULL;
  size_t bytes = 0;
  FILE *memory = open_memstream(&want, &bytes);
  if (!memory) return LS_EMEM;
  put_head(s, names, memory);
  const bool made = fclose(memory) == 0;
  ls_status st = made ? check_head(s, want, bytes, place) : LS_EMEM;
  free(want);
  return st;
}

static ls_status go_on(ls_stream *s, const char *const *names, const ls_stream_place *place) {
  ls_status st = check(s, names, place);
  if (st) return st;
  if (ftruncate(fileno(s->file), (off_t)place->bytes) || fseeko(s->file, 0, SEEK_END)) return fail(s, errno);
  return flush(s);
}

/* Frees s; if `complete`, first renames its file to the target. */
static ls_status end(ls_stream *s, bool complete) {
  if (!s) return LS_OK;
  ls_status st = s->file && !s->st ? flush(s) : s->st;
  if (complete && !st && s->mode && fchmod(fileno(s->file), s->mode)) st = fail(s, errno);
  if (complete && !st && s->target && fsync(fileno(s->file))) st = fail(s, errno);
  if (s->file && fclose(s->file) && !st) st = fail(s, errno);
  if (complete && !st && s->target && rename(s->path, s->target))
    st = ls_fail(LS_EIO, "%s: cannot rename: %s", s->target, strerror(errno));
  else if (!complete && s->begun && s->target && s->rows == 0)
    unlink(s->path);
  ls_free(s->path);
  ls_free(s->target);
  ls_free(s);
  return st;
}

/* Sets path, target and mode. */
static ls_status name_files(ls_stream *s, const char *path) {
  struct stat info;
  char real[PATH_MAX];
  const bool there = stat(path, &info) == 0;
  if (s->bare || (there && !S_ISREG(info.st_mode))) return (s->path = ls_strdup(path)) ? LS_OK : LS_EMEM;
  if (there && access(path, W_OK) != 0) return ls_fail(LS_EIO, "%s: cannot write: %s", path, strerror(errno));
  s->mode = there ? info.st_mode & 0777 : 0;
  s->target = ls_strdup(there && realpath(path, real) ? real : path);
  if (!s->target) return LS_EMEM;
  const size_t bytes = strlen(s->target) + sizeof ".part";
  if (!(s->path = ls_malloc(bytes))) return LS_EMEM;
  snprintf(s->path, bytes, "%s.part", s->target);
  return LS_OK;
}

/* Is the path that of a regular file of at least that size? */
static bool is_long_enough(const char *path, u64 bytes) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && (u64)info.st_size >= bytes;
}

static ls_status copy_bytes(ls_stream *s, FILE *from, u64 bytes) {
  char some[1 << 14];
  while (bytes) {
    const size_t n = fread(some, 1, bytes < sizeof some ? bytes : sizeof some, from);
    if (n == 0) return ls_fail(LS_EIO, "%s: cannot read", s->target);
    if (fwrite(some, 1, n, s->file) != n) return fail(s, errno);
    bytes -= n;
  }
  return fflush(s->file) ? fail(s, errno) : LS_OK;
}

/* Continues from the complete file, the target: checks it and copies it up to the position. The target stays
 * until the stream is closed. */
static ls_status begin_from_target(ls_stream *s, const ls_stream_form *form, const ls_stream_place *place) {
  FILE *own = s->file;
  char *part = s->path;
  s->path = s->target;
  s->file = fopen(s->target, "re");
  ls_status st = s->file ? check(s, form->names, place)
                         : ls_fail(LS_EIO, "%s: cannot open: %s", s->target, strerror(errno));
  FILE *from = s->file;
  s->path = part;
  s->file = own;
  if (!st && fseeko(from, 0, SEEK_SET)) st = ls_fail(LS_EIO, "%s: cannot read", s->target);
  if (!st) st = copy_bytes(s, from, place->bytes);
  if (from) fclose(from);
  return st ? st : flush(s);
}

static ls_status open_and_begin(ls_stream *s, const ls_stream_form *form, const ls_stream_place *place) {
  const bool anew = !place || (s->target && !is_long_enough(s->path, place->bytes));
  const int fd =
      open(s->path, O_RDWR | O_CLOEXEC | (s->target ? O_NOFOLLOW : 0) | (anew ? O_CREAT | O_TRUNC : 0), 0666);
  s->file = fd < 0 ? NULL : fdopen(fd, "r+");
  if (!s->file) {
    const int why = errno;
    if (fd >= 0) close(fd);
    return ls_fail(LS_EIO, "%s: cannot open: %s", name_of(s), strerror(why));
  }
  ls_status st = !place ? begin_output(s, form->names)
                 : anew ? begin_from_target(s, form, place)
                        : go_on(s, form->names, place);
  if (st && anew && s->target) unlink(s->path);
  return st;
}

ls_status ls_stream_open(const char *path, const ls_stream_form *form, const ls_stream_place *place,
                         ls_stream **out) {
  *out = NULL;
  const char *named = form->of ? form->of : path;
  const bool npy = ls_ends_in(named, ".npy");
  if (!npy && !ls_ends_in(named, ".csv"))
    return ls_fail(LS_EARG, "%s: rows are streamed to a file whose name ends in .csv or .npy", path);
  ls_stream *s = ls_calloc(1, sizeof *s);
  if (!s) return LS_EMEM;
  *s = (ls_stream){.columns = form->columns,
                   .npy = npy,
                   .bare = form->of != NULL,
                   .group = form->group,
                   .rows = place ? place->rows : 0};
  ls_status st = name_files(s, path);
  if (!st) st = open_and_begin(s, form, place);
  if (st) {
    end(s, false);
    return st;
  }
  s->begun = true;
  *out = s;
  return LS_OK;
}

ls_status ls_stream_row(ls_stream *s, const f64 *x) {
  if (s->st) return s->st;
  if (s->npy) {
    if (fwrite(x, sizeof *x, s->columns, s->file) != s->columns) return fail(s, errno);
  } else {
    for (u32 k = 0; k < s->columns; k++) {
      char number[32];
      ls_ode_number_text(x[k], number);
      if (fputs(number, s->file) < 0) return fail(s, errno);
      fputc(k + 1 < s->columns ? ',' : '\n', s->file);
    }
  }
  s->rows++;
  return ls_now() - s->flushed > 1 ? flush(s) : LS_OK;
}

static ls_status copy_rows(ls_stream *s, FILE *from, const char *part, u64 *bytes) {
  enum { AT_A_TIME = 1 << 20 };
  char *some = ls_malloc(AT_A_TIME);
  if (!some) return LS_EMEM;
  ls_status st = LS_OK;
  while (!st) {
    const size_t n = fread(some, 1, AT_A_TIME, from);
    if (ferror(from)) st = ls_fail(LS_EIO, "%s: cannot read: %s", part, strerror(errno));
    if (st || n == 0) break;
    if (fwrite(some, 1, n, s->file) != n) st = fail(s, errno);
    *bytes += n;
    if (!st && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "%s: interrupted", s->path);
  }
  ls_free(some);
  return st;
}

ls_status ls_stream_append(ls_stream *s, const char *part, u64 rows) {
  if (s->st) return s->st;
  u64 bytes = 0;
  FILE *from = fopen(part, "re");
  if (!from) return ls_fail(LS_EIO, "%s: cannot open: %s", part, strerror(errno));
  ls_status st = copy_rows(s, from, part, &bytes);
  fclose(from);
  if (!st && s->npy && bytes != rows * s->columns * sizeof(f64))
    st = ls_fail(LS_EINPUT, "%s: expected the bytes of %llu rows, found %llu bytes", part,
                 (unsigned long long)rows, (unsigned long long)bytes);
  if (st) return st;
  s->rows += rows;
  return flush(s);
}

ls_status ls_stream_flush(ls_stream *s) { return s->st ? s->st : flush(s); }
ls_status ls_stream_tell(ls_stream *s, ls_stream_place *out) {
  ls_status st = ls_stream_flush(s);
  const off_t at = st ? 0 : ftello(s->file);
  if (at < 0) return fail(s, errno);
  *out = (ls_stream_place){.bytes = (u64)at, .rows = s->rows};
  return st;
}
u64 ls_stream_rows(const ls_stream *s) { return s->rows; }
u32 ls_stream_columns(const ls_stream *s) { return s->columns; }

ls_status ls_stream_close(ls_stream *s) { return end(s, true); }
ls_status ls_stream_leave(ls_stream *s) { return end(s, false); }
