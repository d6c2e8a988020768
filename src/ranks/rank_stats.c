#include "ranks/rank_stats.h"

#include <pthread.h>
#include <string.h>

#include "core/wait.h"
#include "ranks/transport.h"

/* The worker updates the statistics in exchanges while the main thread shows them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ls_rank_stats_said own; /* own.before and own.rows cover only the time since the last exchange */
static int this_rank, count = 1;
static f64 waits;        /* total seconds */
static f64 stands_since; /* when the current stop began; 0: not at a stop */
static struct {
  ls_rank_stats_said said, base; /* base: what was known when this rank last reset its counts */
  f64 before;
} others[LS_MOST_RANKS];
static bool (*look_at)(int rank, ls_rank_stats_said *said);

static u32 digest(const char *text) {
  u32 h = 2166136261u;
  for (; *text; text++) h = (h ^ (u8)*text) * 16777619u;
  return h;
}

static ls_rank_stats_row_of *row_of(ls_rank_stats_said *s, u32 name) {
  for (u32 i = 0; i < s->nrows; i++)
    if (s->rows[i].name == name) return &s->rows[i];
  return NULL;
}

void ls_rank_stats_ran(const char *name, bool exchange, f64 seconds, u64 calls, const u64 *counts) {
  pthread_mutex_lock(&lock);
  if (exchange) {
    own.exchanges += seconds;
  } else {
    own.kernels += seconds;
    own.before += seconds;
    const u32 id = digest(name);
    ls_rank_stats_row_of *r = row_of(&own, id);
    if (!r && count > 1 && own.nrows < LS_RANK_STATS_ROWS) {
      r = &own.rows[own.nrows++];
      *r = (ls_rank_stats_row_of){.name = id};
    }
    if (r) {
      r->calls += (u32)calls;
      r->seconds += seconds;
      for (int i = 0; i < LS_RANK_STATS_COUNTS; i++) r->counts[i] += counts[i];
    }
  }
  pthread_mutex_unlock(&lock);
}

static void add(f64 *total, f64 seconds) {
  pthread_mutex_lock(&lock);
  *total += seconds;
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_exchanged(f64 seconds) { add(&own.exchanges, seconds); }
void ls_rank_stats_hid(f64 seconds) { add(&own.hidden, seconds); }

void ls_rank_stats_moved(u64 bytes) {
  pthread_mutex_lock(&lock);
  own.bytes += bytes;
  pthread_mutex_unlock(&lock);
}

u64 ls_rank_stats_got(void) {
  pthread_mutex_lock(&lock);
  const u64 x = own.bytes;
  pthread_mutex_unlock(&lock);
  return x;
}

f64 ls_rank_stats_waits(void) {
  pthread_mutex_lock(&lock);
  const f64 x = waits;
  pthread_mutex_unlock(&lock);
  return x;
}

void ls_rank_stats_stands(bool yes) {
  pthread_mutex_lock(&lock);
  if (yes && stands_since == 0) stands_since = ls_now();
  if (!yes && stands_since > 0) {
    own.stood += ls_now() - stands_since;
    stands_since = 0;
  }
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_reset(void) {
  pthread_mutex_lock(&lock);
  own = (ls_rank_stats_said){.resets = own.resets + 1, .stood = own.stood};
  for (int r = 0; r < count; r++) {
    others[r].base = others[r].said;
    others[r].before = 0;
  }
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_say(ls_rank_stats_said *out) {
  pthread_mutex_lock(&lock);
  *out = own;
  own.nrows = 0;
  own.before = 0;
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_waited(f64 seconds, const ls_rank_stats_said *zero) {
  pthread_mutex_lock(&lock);
  f64 stood = zero->stood - others[0].said.stood;
  if (stood < 0 || this_rank == 0) stood = 0;
  if (stood > seconds) stood = seconds;
  own.waits += seconds - stood;
  waits += seconds;
  own.exchanges -= stood; /* the whole duration, including stops, is added to exchanges later */
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_hear(int rank, const ls_rank_stats_said *said, bool worked) {
  pthread_mutex_lock(&lock);
  others[rank].said = *said;
  if (worked) others[rank].before = said->before;
  pthread_mutex_unlock(&lock);
}

void ls_rank_stats_open(int rank, int ranks, bool (*look)(int rank, ls_rank_stats_said *said)) {
  this_rank = rank;
  count = ranks;
  look_at = look;
}

void ls_rank_stats_of(int rank, ls_rank_stats *out) {
  ls_rank_stats_said next;
  const bool waiting = rank != this_rank && look_at && look_at(rank, &next);
  pthread_mutex_lock(&lock);
  const ls_rank_stats_said *s = rank == this_rank ? &own : waiting ? &next : &others[rank].said, none = {0};
  const ls_rank_stats_said *base =
      rank == this_rank || s->resets != others[rank].base.resets ? &none : &others[rank].base;
  *out = (ls_rank_stats){.kernels = s->kernels - base->kernels,
                         .exchanges = s->exchanges > base->exchanges ? s->exchanges - base->exchanges : 0,
                         .waits = s->waits - base->waits,
                         .hidden = s->hidden - base->hidden,
                         .bytes = s->bytes - base->bytes,
                         .before = others[rank].before,
                         .waiting = waiting};
  pthread_mutex_unlock(&lock);
}

bool ls_rank_stats_row(int rank, const char *name, ls_rank_stats_row_of *out) {
  ls_rank_stats_said next;
  const bool mine = rank == this_rank;
  memset(out, 0, sizeof *out);
  if (!mine && !(look_at && look_at(rank, &next))) return false;
  pthread_mutex_lock(&lock);
  const ls_rank_stats_row_of *r = row_of(mine ? &own : &next, digest(name));
  if (r) *out = *r;
  pthread_mutex_unlock(&lock);
  return true;
}
