#define _GNU_SOURCE /* for memfd_create; the program sets it in its compiler flags */
#include "ranks/mpi/stderr_capture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int own_error = -1, caught = -1; /* the original standard error; the file that collects messages */

void stderr_capture_begin(void) {
  caught = memfd_create("lockstep messages", MFD_CLOEXEC);
  if (caught < 0) return;
  fcntl(caught, F_SETFL, O_APPEND);
  own_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(caught, STDERR_FILENO);
}

char *stderr_capture_take(u64 *bytes) {
  fflush(stderr);
  const off_t end = caught < 0 ? 0 : lseek(caught, 0, SEEK_END);
  *bytes = 0;
  if (end <= 0) return NULL;
  const u64 most = (u64)end < CAUGHT_MOST ? (u64)end : CAUGHT_MOST;
  char *text = malloc(most);
  const ssize_t n = text ? pread(caught, text, most, 0) : 0;
  if (ftruncate(caught, 0) == 0 && n > 0) *bytes = (u64)n;
  return text;
}

void stderr_capture_end(int rank) {
  u64 bytes;
  if (caught < 0) return;
  char *text = stderr_capture_take(&bytes);
  dup2(own_error, STDERR_FILENO);
  if (bytes) fprintf(stderr, "rank %d: %.*s", rank, (int)bytes, text);
  free(text);
  close(caught);
  caught = -1;
}
