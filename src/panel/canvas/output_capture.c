#include "panel/canvas/output_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/thread.h"
#include "core/write_all.h"

enum { KEPT = 1 << 20 }; /* bytes kept; older ones would have scrolled away, and are dropped */

static int pipe_ends[2] = {-1, -1}, kept_fd[3] = {-1, -1, -1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char ring[KEPT];
static size_t first, count;
static bool reading; /* bytes are in flight from the pipe to the ring */
static void (*tell)(void);

static void keep(const char *s, size_t n) {
  if (n > KEPT) s += n - KEPT, n = KEPT;
  if (count + n > KEPT) {
    size_t drop = count + n - KEPT;
    first = (first + drop) % KEPT;
    count -= drop;
  }
  size_t at = (first + count) % KEPT, part = n < KEPT - at ? n : KEPT - at;
  memcpy(ring + at, s, part);
  memcpy(ring, s + part, n - part);
  count += n;
}

/* --- a copy of what goes to the terminal ------------------------------------------------------------- */

static const int descriptor[3] = {0, 1, 2};

static ssize_t write_and_keep(void *cookie, const char *s, size_t n) {
  const int fd = *(const int *)cookie;
  const size_t done = ls_write_all(fd, s, n);
  if (kept_fd[fd] < 0 && isatty(fd)) { /* else the pipe delivers it, or it is temporarily redirected */
    pthread_mutex_lock(&lock);
    keep(s, done);
    pthread_mutex_unlock(&lock);
  }
  return (ssize_t)done;
}

/* Replaces stdout and stderr by streams that copy; the GNU C library allows a program to assign them. */
void ls_output_capture_copy(void) {
  static const cookie_io_functions_t writes = {.write = write_and_keep};
  FILE **const streams[] = {NULL, &stdout, &stderr};
  for (int fd = 1; fd <= 2; fd++) {
    FILE *f = isatty(fd) ? fopencookie((void *)(uintptr_t)&descriptor[fd], "w", writes) : NULL;
    if (!f) continue; /* the panel will show less */
    setvbuf(f, NULL, fd == 1 ? _IOLBF : _IONBF, BUFSIZ);
    fflush(*streams[fd]);
    *streams[fd] = f;
  }
}

/* --- while the panel is on --------------------------------------------------------------------------- */

static void *drain(void *unused) {
  (void)unused;
  static char buffer[1 << 16];
  struct pollfd p = {.fd = pipe_ends[0], .events = POLLIN};
  for (;;) {
    if (poll(&p, 1, -1) < 0) continue;
    pthread_mutex_lock(&lock);
    reading = true;
    pthread_mutex_unlock(&lock);
    ssize_t n = read(pipe_ends[0], buffer, sizeof buffer);
    pthread_mutex_lock(&lock);
    reading = false;
    bool news = n > 0 && count == 0;
    if (n > 0) keep(buffer, (size_t)n);
    pthread_mutex_unlock(&lock);
    if (news && tell) tell();
  }
  return NULL;
}

static ls_status start(void) {
  if (pipe_ends[0] >= 0) return LS_OK;
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return ls_fail(LS_EIO, "no pipe for the panel: %s", strerror(errno));
  fcntl(pipe_ends[1], F_SETPIPE_SZ, 1 << 20);
  const int failed = ls_thread_start(drain, NULL);
  if (failed) {
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    pipe_ends[0] = pipe_ends[1] = -1;
    return ls_fail(LS_EMEM, "no thread for the panel: %s", strerror(failed));
  }
  return LS_OK;
}

ls_status ls_output_capture_on(void (*came)(void)) {
  tell = came;
  ls_status st = start();
  if (st) return st;
  fflush(stdout);
  setvbuf(stdout, NULL, _IOLBF, 0); /* by default, a pipe would be block-buffered */
  for (int fd = 1; fd <= 2; fd++) {
    if (kept_fd[fd] >= 0 || !isatty(fd)) continue;
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (kept < 0 || dup2(pipe_ends[1], fd) < 0) {
      st = ls_fail(LS_EIO, "output cannot be redirected into the panel: %s", strerror(errno));
      if (kept >= 0) close(kept);
      break;
    }
    kept_fd[fd] = kept;
  }
  if (st) ls_output_capture_off();
  return st;
}

void ls_output_capture_off(void) {
  for (int fd = 1; fd <= 2; fd++) {
    if (kept_fd[fd] < 0) continue;
    dup2(kept_fd[fd], fd);
    close(kept_fd[fd]);
    kept_fd[fd] = -1;
  }
}

size_t ls_output_capture_take(char *out, size_t room) {
  pthread_mutex_lock(&lock);
  size_t n = count < room ? count : room, part = n < KEPT - first ? n : KEPT - first;
  memcpy(out, ring + first, part);
  memcpy(out + part, ring, n - part);
  first = (first + n) % KEPT;
  count -= n;
  pthread_mutex_unlock(&lock);
  return n;
}

void ls_output_capture_settle(void) {
  fflush(stdout);
  /* A limit of 200, because a child may write without end. */
  for (int turn = 0; turn < 200 && pipe_ends[0] >= 0; turn++) {
    int waiting = 0;
    bool empty = ioctl(pipe_ends[0], FIONREAD, &waiting) != 0 || waiting == 0; /* check before `reading` */
    pthread_mutex_lock(&lock);
    bool busy = reading;
    pthread_mutex_unlock(&lock);
    if (empty && !busy) return;
    usleep(100);
  }
}

void ls_output_capture_last_words(void) {
  char bytes[4096];
  ssize_t n;
  if (pipe_ends[0] < 0) return;
  usleep(20000); /* long enough for drain() to move what it has read into the ring */
  for (size_t i = 0; i < count; i++)
    if (write(STDERR_FILENO, &ring[(first + i) % KEPT], 1) < 0) return;
  fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
  while ((n = read(pipe_ends[0], bytes, sizeof bytes)) > 0)
    if (write(STDERR_FILENO, bytes, (size_t)n) < 0) return;
}
