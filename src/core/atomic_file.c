#include "core/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/write_all.h"

static ls_status fail(const ls_atomic_file *r, const char *what) {
  return ls_fail(LS_EIO, "%s: %s: %s", r->path, what, strerror(errno));
}

/* --- temporary files to remove if the process ends --------------------------------------------------- */

enum { SLOTS = 16 }; /* maximum number of files that are removed if the process ends early */

static struct {
  atomic_int state;
  char path[PATH_MAX];
} slots[SLOTS];
enum { FREE, OPENING, NOTED }; /* OPENING: for a few instructions, in which the slot's owner blocks signals */

static int take_slot(void) {
  for (int i = 0; i < SLOTS; i++) {
    int state = FREE;
    if (atomic_compare_exchange_strong(&slots[i].state, &state, OPENING)) return i;
  }
  return -1;
}

/* Creates the file and records it in a slot. No signal handler runs between the two: this thread blocks
 * signals, and ls_atomic_file_abandon in another thread waits. Returns the descriptor, or -1 with errno. */
static int create_noted(const char *path, mode_t mode, int *slot) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  *slot = strlen(path) < sizeof slots[0].path ? take_slot() : -1;
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  const int error = errno;
  if (*slot >= 0) {
    if (fd >= 0) strcpy(slots[*slot].path, path);
    atomic_store(&slots[*slot].state, fd >= 0 ? NOTED : FREE);
    if (fd < 0) *slot = -1;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return errno = error, fd;
}

void ls_atomic_file_abandon(void) {
  for (int i = 0; i < SLOTS; i++) {
    while (atomic_load(&slots[i].state) == OPENING) {}
    if (atomic_load(&slots[i].state) == NOTED) unlink(slots[i].path);
  }
}

/* --- one file ---------------------------------------------------------------------------------------- */

/* Tries up to 100 names: O_EXCL makes open fail if a file or a link of that name exists. */
static ls_status open_temporary(ls_atomic_file *r) {
  const size_t bytes = strlen(r->target) + 24;
  r->temporary = ls_malloc(bytes);
  if (!r->temporary) return LS_EMEM;
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(r->temporary, bytes, "%s.%d.%d", r->target, (int)getpid() % 10000000, attempt);
    r->fd = create_noted(r->temporary, r->mode ? 0600 : 0666, &r->slot);
    if (r->fd >= 0 || errno != EEXIST) break;
  }
  return r->fd >= 0 ? LS_OK : fail(r, "cannot create a file there");
}

static ls_status open_target(ls_atomic_file *r) {
  struct stat info;
  const bool there = stat(r->path, &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return errno = EISDIR, fail(r, "cannot write");
  if (there && !S_ISREG(info.st_mode)) {
    r->fd = open(r->path, O_WRONLY | O_CLOEXEC);
    return r->fd >= 0 ? LS_OK : fail(r, "cannot open");
  }
  if (there && access(r->path, W_OK) != 0) return fail(r, "cannot write");
  char real[PATH_MAX];
  r->target = ls_strdup(there && realpath(r->path, real) ? real : r->path);
  if (!r->target) return LS_EMEM;
  r->mode = there ? info.st_mode & 0777 : 0;
  return open_temporary(r);
}

static void forget(ls_atomic_file *r) {
  if (r->slot >= 0) atomic_store(&slots[r->slot].state, FREE);
  ls_free(r->temporary);
  ls_free(r->target);
}

ls_status ls_atomic_file_open(ls_atomic_file *r, const char *path) {
  *r = (ls_atomic_file){.path = path, .fd = -1, .slot = -1};
  const ls_status st = open_target(r);
  if (st) forget(r);
  return st;
}

ls_status ls_atomic_file_write(ls_atomic_file *r, const void *p, size_t bytes) {
  return ls_write_all(r->fd, p, bytes) == bytes ? LS_OK : fail(r, "cannot write");
}

ls_status ls_atomic_file_close(ls_atomic_file *r, ls_status st) {
  if (!st && r->mode && fchmod(r->fd, r->mode) != 0) st = fail(r, "cannot write");
  if (!st && r->target && fsync(r->fd) != 0) st = fail(r, "cannot write");
  if (close(r->fd) != 0 && !st) st = fail(r, "cannot write");
  if (!st && r->target && rename(r->temporary, r->target) != 0) st = fail(r, "cannot rename");
  if (st && r->target) unlink(r->temporary);
  forget(r);
  return st;
}

ls_status ls_atomic_file_write_bytes(const char *path, const void *p, size_t bytes) {
  ls_atomic_file r;
  const ls_status st = ls_atomic_file_open(&r, path);
  return st ? st : ls_atomic_file_close(&r, ls_atomic_file_write(&r, p, bytes));
}

/* --- through a stream -------------------------------------------------------------------------------- */

typedef struct stream {
  ls_atomic_file r;
  int error; /* errno of the first write that failed: a stream does not keep it */
} stream;

static ssize_t write_some(void *cookie, const char *p, size_t bytes) {
  stream *s = cookie;
  if (!s->error && ls_atomic_file_write(&s->r, p, bytes)) s->error = errno;
  return s->error ? 0 : (ssize_t)bytes;
}

ls_status ls_atomic_file_write_all(const char *path, ls_status (*write_to)(FILE *f, void *arg), void *arg) {
  stream s = {.error = 0};
  ls_status st = ls_atomic_file_open(&s.r, path);
  if (st) return st;
  FILE *f = fopencookie(&s, "w", (cookie_io_functions_t){.write = write_some});
  if (!f) return ls_atomic_file_close(&s.r, ls_fail(LS_EMEM, "%s: out of memory", path));
  st = write_to(f, arg);
  fclose(f);
  if (s.error) st = (errno = s.error, fail(&s.r, "cannot write"));
  return ls_atomic_file_close(&s.r, st);
}
