#include "ranks/shared_prompt.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/wait.h"

static const ls_transport_lines *wire; /* NULL: no prompt that ranks share */
static int count;                      /* number of ranks */
static bool leading;
static struct follower {
  size_t used;
  char line[1024];          /* incomplete line of its standard error */
} followers[LS_MOST_RANKS]; /* used by rank 0; [0] is unused */
static u64 told;            /* lines sent */
static bool mute;           /* drop the next messages: they belong to a run that rank 0 has aborted */

void ls_ranks_open_lines(const ls_transport *t) {
  wire = t->lines;
  count = t->count;
  leading = wire && t->rank == 0;
}

bool ls_ranks_leading(void) { return leading; }
bool ls_ranks_following(void) { return wire && !leading; }

bool ls_ranks_line(ls_line *line, char **text) {
  if (!wire->receive(line, text)) return false;
  wire->enter(line->epoch);
  wire->line();
  return true;
}

/* --- rank 0 --------------------------------------------------------------------------------------------- */

/* Waits at most `most` seconds until each other rank has either run what it was sent, or waits for this
 * rank. */
static void wait_for_others(f64 most) {
  f64 begun = ls_now(), still = begun;
  u64 before = 0;
  while (!ls_interrupted() && ls_now() - begun < most) {
    bool done = true, stuck = true;
    const u64 now = wire->progress(told, &done, &stuck);
    if (done) return;
    if (now != before || !stuck) still = ls_now(), before = now;
    if (ls_now() - still > 0.2) return; /* no progress: all wait for this rank */
    usleep(2000);
    ls_idle();
  }
}

/* Makes the others abort what they run. */
static void give_up(void) {
  bool done, stuck;
  wire->enter(wire->next_epoch());
  wire->progress(told, &done, &stuck);
  mute = !done;
  if (done) return;
  wire->interrupt(told);
  wait_for_others(5);
}

bool ls_ranks_tell(const char *text, bool many, int number, bool stands) {
  if (!leading || stands) return true;
  bool done, stuck;
  wait_for_others(1e9);
  wire->progress(told, &done, &stuck);
  const bool stop = ls_interrupted();
  ls_interrupt_clear();
  if (!done || wire->failed()) give_up();
  if (stop) return false;
  const ls_line l = {.epoch = wire->epoch(), .number = (u32)number, .many = many};
  wire->send(&l, text);
  told++;
  wire->line();
  return true;
}

void ls_ranks_told(ls_status st, bool stands) {
  if ((leading && !stands) || ls_ranks_following()) wire->line_done(st != LS_OK);
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
  wire->progress(told, &done, &stuck);
  if (!done) wait_for_others(0.3); /* the others send messages about this line when they end it */
  for (int r = 1; r < count; r++) {
    struct follower *f = &followers[r];
    char text[4096], line[1100];
    for (size_t n; (n = wire->said(r, text, sizeof text)) > 0;)
      for (size_t i = 0; i < n; i++) {
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

void ls_ranks_rest(void (*say)(const char *line)) {
  if (!leading) return;
  wait_for_others(1e9);
  ls_ranks_hear(say, "");
}
