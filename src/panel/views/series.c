#include "panel/views/series.h"

#include <stdio.h>
#include <string.h>

#include "session/session.h"

enum { MOST_RECORDS = 8192 };

static ls_series_set set;
static u64 begin, end; /* records of the run in the trace's ring: begin .. end - 1 */

/* Adds a point. The run is divided into LS_SERIES_POINTS parts; each keeps only its largest point, so that
 * peaks remain visible. */
static void add(ls_series *s, f64 x, f64 y, f64 turn) {
  const f64 part = (f64)(end - begin) / (LS_SERIES_POINTS - 1);
  const f64 base = (f64)set.first;
  s->previous = s->last;
  s->last = y;
  if (s->count > 0) {
    const ls_xy last = s->points[s->count - 1];
    const bool crowded = part > 1 && (u64)((x - base) / part) == (u64)((last.x - base) / part);
    if (crowded || s->count == LS_SERIES_POINTS) {
      s->count--;
      if (last.y > y) y = last.y;
    }
  }
  s->turn[s->count] = turn;
  s->points[s->count++] = (ls_xy){x, y};
}

static ls_series *series_of(const char *name, bool mark) {
  for (int i = 0; i < set.count; i++)
    if (set.series[i].mark == mark && strcmp(set.series[i].name, name) == 0) return &set.series[i];
  if (set.count == LS_SERIES_MOST) return NULL;
  ls_series *s = &set.series[set.count++];
  snprintf(s->name, sizeof s->name, "%s", name);
  s->mark = mark;
  s->count = 0;
  s->calls = 0;
  return s;
}

/* The number of steps of the run that the host had requested by that time. */
static f64 step_at(f64 time) {
  u64 low = begin, high = end;
  while (low < high) {
    u64 middle = low + (high - low) / 2;
    const ls_record *r = ls_trace_get(middle);
    if (r && r->host_begin <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return (f64)(set.first + (low - begin)) - 1;
}

static void add_marks(void) {
  const ls_record *first = begin < end ? ls_trace_get(begin) : NULL, *after = ls_trace_get(end);
  u32 run = 0;
  for (int i = 0; i < ls_trace_series(); i++) {
    u64 n;
    const ls_point *p = ls_trace_points(i, &n);
    if (n && p[n - 1].run > run) run = p[n - 1].run;
  }
  for (int i = 0; i < ls_trace_series(); i++) {
    u64 n;
    const ls_point *p = ls_trace_points(i, &n);
    if (n == 0 || p[n - 1].run != run || (first && p[n - 1].time < first->host_begin)) continue;
    u64 from = n;
    while (from > 0 && p[from - 1].run == run) from--;
    if (after && p[from].time >= after->host_begin) continue;
    ls_series *s = series_of(ls_trace_series_name(i), true);
    for (u64 k = from; s && k < n && !(after && p[k].time >= after->host_begin); k++) {
      f64 x = first ? step_at(p[k].time) : (f64)p[k].mark;
      if (x >= (f64)set.first) add(s, x, p[k].value, (f64)p[k].mark);
    }
  }
}

/* The series of a primitive's COUNTs, in the order of its arguments. Looked up by the address of the
 * primitive, so that names are built once per primitive and not once per record. */
typedef struct counts_of {
  const ls_prim *prim;
  ls_series *series[LS_MAX_COUNTS];
} counts_of;

static const counts_of *find_counts(counts_of *known, int *n, int most, const ls_prim *prim) {
  for (int i = *n; i-- > 0;)
    if (known[i].prim == prim) return &known[i];
  if (*n == most) return NULL;
  counts_of *c = &known[(*n)++];
  *c = (counts_of){.prim = prim};
  for (int a = 0, k = 0; a < prim->nargs && k < LS_MAX_COUNTS; a++) {
    if (prim->args[a].role != LS_COUNT) continue;
    char name[48];
    snprintf(name, sizeof name, "%s.%s", prim->name, prim->args[a].name);
    c->series[k++] = series_of(name, false);
  }
  return c;
}

static void add_counts(void) {
  enum { PRIMS = 64 };
  counts_of known[PRIMS];
  int n = 0;
  for (u64 i = begin; i < end; i++) {
    const ls_record *r = ls_trace_get(i);
    const counts_of *c = r ? find_counts(known, &n, PRIMS, r->prim) : NULL;
    for (int k = 0; c && k < LS_MAX_COUNTS; k++)
      if (c->series[k])
        add(c->series[k], (f64)(set.first + (i - begin)), (f64)r->counts[k], (f64)++c->series[k]->calls);
  }
}

const ls_series_set *ls_series_now(void) {
  static u64 seen_last, seen_first, seen_stop, seen_marks;
  const u64 newest = ls_trace_last(), first = ls_session_first();
  const ls_stop *stop = ls_session_stop();
  const u64 at =
      stop && stop->recorded ? stop->record.seq : UINT64_MAX; /* a stop in the past ends the series */
  u64 marks = (u64)ls_trace_series();
  for (int i = 0; i < ls_trace_series(); i++) {
    u64 n;
    const ls_point *p = ls_trace_points(i, &n);
    if (n) marks = marks * 31 + n + p[n - 1].run;
  }
  if (set.steps && newest == seen_last && first == seen_first && at == seen_stop && marks == seen_marks)
    return &set;
  seen_last = newest;
  seen_first = first;
  seen_stop = at;
  seen_marks = marks;
  set.count = 0;
  const u64 start = ls_trace_from(first);
  end = at == UINT64_MAX ? newest + 1 : ls_trace_from(at + 1);
  if (end < start) end = start;
  begin = end - start > MOST_RECORDS ? end - MOST_RECORDS : start;
  set.first = begin - start + 1;
  set.steps = end - start;
  add_marks();
  add_counts();
  return &set;
}
