#include "model/ode/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/npy.h"
#include "core/text.h"
#include "core/wait.h"
#include "model/ode/text.h"

struct ls_stream {
  FILE *file;
  char *path;
  u32 columns;
  bool npy;
  u64 rows;
  f64 flushed; /* when all rows were last in the file */
  ls_status st;
};

static ls_status fail(ls_stream *s, int why) {
  return s->st = ls_fail(LS_EIO, "%s: cannot write: %s", s->path, strerror(why));
}

/* The rows first, then how many there are: whoever reads in between finds whole rows. */
static ls_status flush(ls_stream *s) {
  char head[LS_NPY_HEAD];
  s->flushed = ls_now();
  if (fflush(s->file) || ferror(s->file)) return fail(s, errno);
  if (!s->npy) return LS_OK;
  ls_npy_head(LS_F64, s->rows, s->columns, head);
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

static ls_status begin(ls_stream *s, const char *const *names) {
  if (s->npy) {
    char head[LS_NPY_HEAD];
    ls_npy_head(LS_F64, s->rows, s->columns, head);
    if (fwrite(head, 1, sizeof head, s->file) != sizeof head) return fail(s, errno);
    return flush(s);
  }
  for (u32 k = 0; k < s->columns; k++) {
    if (k) fputc(',', s->file);
    ls_stream_name(s->file, names[k]);
  }
  fputc('\n', s->file);
  return flush(s);
}

ls_status ls_stream_open(const char *path, u32 columns, const char *const *names, ls_stream **out) {
  *out = NULL;
  const bool npy = ls_ends_in(path, ".npy");
  if (!npy && !ls_ends_in(path, ".csv"))
    return ls_fail(LS_EARG, "%s: rows are streamed to a file whose name ends in .csv or .npy", path);
  ls_stream *s = ls_calloc(1, sizeof *s);
  char *name = ls_malloc(strlen(path) + 1);
  if (!s || !name) {
    ls_free(s);
    ls_free(name);
    return LS_EMEM;
  }
  *s = (ls_stream){.path = strcpy(name, path), .columns = columns, .npy = npy};
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  s->file = fd < 0 ? NULL : fdopen(fd, "w");
  ls_status st = s->file ? begin(s, names) : ls_fail(LS_EIO, "%s: cannot open: %s", path, strerror(errno));
  if (st) {
    if (!s->file && fd >= 0) close(fd);
    ls_stream_close(s);
    return st;
  }
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

ls_status ls_stream_flush(ls_stream *s) { return s->st ? s->st : flush(s); }
u64 ls_stream_rows(const ls_stream *s) { return s->rows; }
u32 ls_stream_columns(const ls_stream *s) { return s->columns; }

ls_status ls_stream_close(ls_stream *s) {
  if (!s) return LS_OK;
  ls_status st = s->file && !s->st ? flush(s) : s->st;
  if (s->file && fclose(s->file) && !st) st = fail(s, errno);
  ls_free(s->path);
  ls_free(s);
  return st;
}
