#include "ranks/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/write_all.h"

static int count;                                          /* number of ranks */
static int lines_from = -1;                                /* where a rank above 0 reads its lines */
static int lines_to[LS_MOST_RANKS], errors[LS_MOST_RANKS]; /* the pipes of rank 0; [0] is unused */

static void on_exec_closed(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

bool ls_pipes_open(int rank, int ranks, const char *text) {
  count = ranks;
  if (rank > 0) {
    if (sscanf(text, "%d", &lines_from) != 1) return false;
    on_exec_closed(lines_from);
    return true;
  }
  for (int r = 1, n; r < count; r++, text += n) {
    if (sscanf(text, "%d %d %n", &lines_to[r], &errors[r], &n) != 2) return false;
    on_exec_closed(lines_to[r]);
    on_exec_closed(errors[r]);
    fcntl(errors[r], F_SETFL, O_NONBLOCK);
  }
  return count > 1;
}

static bool get(void *to, size_t bytes) {
  for (char *at = to; bytes;) {
    const ssize_t n = read(lines_from, at, bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) at += n, bytes -= (size_t)n;
  }
  return true;
}

bool ls_pipes_receive(ls_line *line, char **text) {
  u64 bytes;
  if (!get(line, sizeof *line) || !get(&bytes, sizeof bytes)) return false;
  *text = malloc(bytes + 1);
  if (!*text || !get(*text, bytes)) return false;
  (*text)[bytes] = 0;
  return true;
}

void ls_pipes_send(const ls_line *line, const char *text) {
  const u64 bytes = strlen(text);
  for (int r = 1; r < count; r++) {
    /* if this fails, the rank has ended; the next exchange reports that */
    ls_write_all(lines_to[r], line, sizeof *line);
    ls_write_all(lines_to[r], &bytes, sizeof bytes);
    ls_write_all(lines_to[r], text, bytes);
  }
}

size_t ls_pipes_said(int r, char *text, size_t bytes) {
  const ssize_t n = read(errors[r], text, bytes);
  return n > 0 ? (size_t)n : 0;
}
