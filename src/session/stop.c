/* The current stop, its reasons, and the one stable line that every stop prints. */
#include "session/stop.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

struct stop_state the_stop;

bool ls_session_paused(void) { return the_stop.paused; }
const ls_stop *ls_session_stop(void) { return the_stop.paused ? &the_stop.now : NULL; }

void stop_forget_why(void) { the_stop.now.why[0] = '\0'; }

void stop_why(const char *fmt, ...) {
  char *why = the_stop.now.why;
  size_t used = strlen(why);
  if (used && used + 3 < sizeof the_stop.now.why) {
    memcpy(why + used, ", ", 3);
    used += 2;
  }
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why + used, sizeof the_stop.now.why - used, fmt, ap);
  va_end(ap);
}

/* --- the line ---------------------------------------------------------------------------------------- */

typedef struct line {
  char *out;
  size_t bytes, used;
} line;

/* Appends a word, preceded by a space unless it is the first. */
static void append(line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void append(line *l, const char *fmt, ...) {
  if (l->used && l->used + 1 < l->bytes) l->out[l->used++] = ' ';
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(l->out + l->used, l->bytes - l->used, fmt, ap);
  va_end(ap);
  if (n > 0) l->used += (size_t)n < l->bytes - l->used ? (size_t)n : l->bytes - l->used - 1;
}

static void put_counts(line *l, const ls_stop *stop) {
  const ls_prim *prim = stop->record.prim;
  int count = 0;
  for (int i = 0; i < prim->nargs; i++) {
    if (prim->args[i].role != LS_COUNT) continue;
    unsigned long long now = stop->record.counts[count], before = stop->previous[count];
    if (stop->repeated)
      append(l, "%s %llu->%llu", prim->args[i].name, before, now);
    else
      append(l, "%s %llu", prim->args[i].name, now);
    count++;
  }
}

static void put_rate(line *l, const ls_record *r) {
  f64 seconds = r->end - r->begin;
  if (seconds <= 0) return;
  f64 rate = r->bytes / seconds / 1e9;
  if (rate >= 0.005)
    append(l, rate < 9.995 ? "GB/s %.2f" : "GB/s %.0f", rate); /* a lower rate would print as 0.00 */
  f64 share = ls_trace_share(r);
  if (share >= 0) append(l, "(%.0f %%)", 100 * share);
}

void ls_session_stop_line(const ls_stop *stop, char *out, size_t bytes) {
  line l = {out, bytes, 0};
  char took[24];
  out[0] = '\0';
  switch (stop->kind) {
  case LS_STOP_AFTER:
    if (!stop->recorded) {
      append(&l, "a primitive without a record");
      break;
    }
    append(&l, "#%llu %s", (unsigned long long)stop->record.number, stop->record.prim->name);
    if (stop->record.first) append(&l, "(first)");
    if (stop->record.turns > 1) append(&l, "%llu turns", (unsigned long long)stop->record.turns);
    append(&l, "%s", ls_time_text(stop->record.end - stop->record.begin, took));
    put_counts(&l, stop);
    put_rate(&l, &stop->record);
    if (*stop->ranks) append(&l, "[%s]", stop->ranks);
    break;
  case LS_STOP_BEFORE: append(&l, "before %s", stop->name); break;
  case LS_STOP_LINE: append(&l, "at"); break;
  case LS_STOP_ERROR: append(&l, "error"); break;
  case LS_STOP_MARK:
    append(&l, "iter %u", stop->mark);
    if (*stop->marks) append(&l, "%s", stop->marks);
    break;
  }
  if (*stop->where) append(&l, "%s", stop->where);
  if (*stop->why) append(&l, " %s", stop->why);
}
