#include "ranks/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/wait.h"
#include "ranks/shared.h"

/* A line on its way. */
typedef struct frame {
  u32 epoch, bytes;
  bool many;
} frame;

static int count;           /* of the ranks */
static int lines_from = -1; /* a follower's */
static struct follower {
  int to, from; /* its lines; its standard error */
  size_t used;
  char line[1024];
} followers[LS_MOST_RANKS]; /* rank 0's; [0] is not used */
static bool leading;
static u64 told;  /* lines sent */
static bool mute; /* what is heard next comes of a run that rank 0 gave up */

static void on_exec_closed(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

void ls_ranks_open_lines(int rank, int ranks, const char *text) {
  count = ranks;
  if (rank > 0 && sscanf(text, "%d", &lines_from) == 1) on_exec_closed(lines_from);
  for (int r = 1, n; rank == 0 && r < count; r++, text += n) {
    if (sscanf(text, "%d %d %n", &followers[r].to, &followers[r].from, &n) != 2) return;
    on_exec_closed(followers[r].to);
    on_exec_closed(followers[r].from);
    fcntl(followers[r].from, F_SETFL, O_NONBLOCK);
    leading = true;
  }
}

bool ls_ranks_following(void) { return lines_from >= 0; }

/* --- a rank that follows -------------------------------------------------------------------------------- */

static bool get(void *to, size_t bytes) {
  for (char *at = to; bytes;) {
    const ssize_t n = read(lines_from, at, bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) at += n, bytes -= (size_t)n;
  }
  return true;
}

bool ls_ranks_line(char **text, bool *many) {
  frame f;
  if (!get(&f, sizeof f)) return false;
  *text = malloc((size_t)f.bytes + 1);
  if (!*text || !get(*text, f.bytes)) return false;
  (*text)[f.bytes] = 0;
  *many = f.many;
  ls_shared_enter(f.epoch);
  ls_shared_line();
  return true;
}

/* --- rank 0 --------------------------------------------------------------------------------------------- */

static void put(int to, const void *from, size_t bytes) {
  for (const char *at = from; bytes;) {
    const ssize_t n = write(to, at, bytes);
    if (n < 0 && errno != EINTR) return; /* it has ended, which the next exchange tells */
    if (n > 0) at += n, bytes -= (size_t)n;
  }
}

/* Waits until the others have run what they were sent, or wait for this rank. */
static void wait_for_others(f64 most) {
  f64 begun = ls_now(), still = begun;
  u64 before = 0;
  while (!ls_interrupted() && ls_now() - begun < most) {
    bool done = true, stuck = true;
    const u64 now = ls_shared_progress(told, &done, &stuck);
    if (done) return;
    if (now != before || !stuck) still = ls_now(), before = now;
    if (ls_now() - still > 0.2) return; /* nobody moves: all wait for this rank */
    usleep(2000);
    ls_idle();
  }
}

/* The others give up what they run. */
static void give_up(void) {
  bool done, stuck;
  ls_shared_enter(ls_shared_next_epoch());
  ls_shared_progress(told, &done, &stuck);
  mute = !done;
  if (done) return;
  ls_shared_interrupt(told);
  wait_for_others(5);
}

bool ls_ranks_tell(const char *text, bool many, bool stands) {
  if (!leading || stands) return true;
  bool done, stuck;
  wait_for_others(1e9);
  ls_shared_progress(told, &done, &stuck);
  const bool stop = ls_interrupted();
  ls_interrupt_clear();
  if (!done || ls_shared_failed()) give_up();
  if (stop) return false;
  const frame f = {.epoch = ls_shared_epoch(), .bytes = (u32)strlen(text), .many = many};
  for (int r = 1; r < count; r++) {
    put(followers[r].to, &f, sizeof f);
    put(followers[r].to, text, f.bytes);
  }
  told++;
  ls_shared_line();
  return true;
}

void ls_ranks_told(ls_status st, bool stands) {
  if ((leading && !stands) || ls_ranks_following()) ls_shared_line_done(st != LS_OK);
  if (leading && !stands && st == LS_EINTERRUPTED) give_up();
}

/* Do two errors begin with the same line? */
static bool same(const char *a, const char *b) {
  const size_t len = strcspn(b, "\n");
  return len > 0 && strncmp(a, b, len) == 0;
}

void ls_ranks_hear(void (*say)(const char *line), const char *own) {
  if (!leading) return;
  bool done, stuck;
  ls_shared_progress(told, &done, &stuck);
  if (!done) wait_for_others(0.3); /* what they say of this line comes with it */
  for (int r = 1; r < count; r++) {
    struct follower *f = &followers[r];
    char text[4096], line[1100];
    for (ssize_t n; (n = read(f->from, text, sizeof text)) > 0;)
      for (ssize_t i = 0; i < n; i++) {
        if (text[i] != '\n' && f->used < sizeof f->line - 1) {
          f->line[f->used++] = text[i];
          continue;
        }
        f->line[f->used] = 0;
        f->used = 0;
        snprintf(line, sizeof line, "rank %d: %s", r, f->line);
        if (!mute && *f->line != '(' && !same(f->line, own)) say(line);
      }
  }
  mute = false;
}
