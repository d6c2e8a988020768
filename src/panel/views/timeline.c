#include "panel/views/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 8192 }; /* records that are read one by one in less than a millisecond */

/* --- windows ----------------------------------------------------------------------------------------- */

void timeline_place(timeline_window *w, int power, f64 from, f64 at) {
  const f64 whole = w->end - w->begin, seen = ldexp(whole, -power);
  if (at < from) from = at;
  if (at > from + seen) from = at - seen;
  if (from + seen > w->end) from = w->end - seen;
  if (from < w->begin) from = w->begin;
  w->from = from;
  w->to = from + seen;
}

f64 timeline_tick(f64 seconds, int columns, int cols) {
  const f64 least = seconds * cols / (columns > 0 ? columns : 1);
  if (!(least > 0) || !isfinite(least)) return 1;
  f64 step = pow(10, floor(log10(least)));
  static const int factors[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (step * factors[i] >= least * 0.999999) return step * factors[i];
  return step * 10;
}

/* --- from the timeline's own cells ------------------------------------------------------------------- */

typedef struct lane_cells {
  const ls_lane *lane;
  ls_time_histogram cells;
  timeline_picture *picture;
  f64 past; /* spans from this time on are taken one by one */
} lane_cells;

static void add_sum(const lane_cells *l, const void *what, f64 seconds, u64 count) {
  timeline_picture *p = l->picture;
  int i = 0;
  if (l->lane->kind != LS_LANE_KERNELS) return;
  while (i < p->sums && p->sum[i].prim != what) i++;
  if (i == TIMELINE_SUMS) return;
  if (i == p->sums) p->sum[p->sums++] = (timeline_sum){.prim = what};
  p->sum[i].seconds += seconds;
  p->sum[i].count += count;
}

/* Distributes the timeline's cells over the columns: the time of a cell in proportion to its overlap with
 * each column, its count to the column in which it begins. */
static void spread(lane_cells *l) {
  const ls_time_histogram *from = &l->lane->cells;
  ls_time_histogram *to = &l->cells;
  const f64 end = to->from + to->width * to->count;
  int i = (int)((to->from - from->from) / from->width);
  for (i = i > 0 ? i : 0; i < from->count; i++) {
    const f64 left = from->from + from->width * i, right = left + from->width;
    if (left >= end || left >= l->past) return;
    if (from->cell[i].count == 0 && from->cell[i].busy <= 0) continue;
    int c = left > to->from ? (int)((left - to->from) / to->width) : 0;
    bool begun = left + from->width / 2 < to->from;
    for (; c < to->count; c++) {
      const f64 a = to->from + to->width * c, b = a + to->width;
      if (a >= right) break;
      const f64 share = ((right < b ? right : b) - (left > a ? left : a)) / from->width;
      ls_time_cell part = from->cell[i];
      for (int k = 0; k < LS_CELL_KINDS; k++) {
        part.part[k].seconds *= share;
        if (begun) part.part[k].count = 0;
        if (part.part[k].what) add_sum(l, part.part[k].what, part.part[k].seconds, part.part[k].count);
      }
      ls_time_cell_add(&to->cell[c], &part);
      begun = true;
    }
  }
}

/* --- span by span ------------------------------------------------------------------------------------ */

/* The span of record i in the lane; false if it has none there. */
static bool record_span(const ls_lane *lane, u64 i, timeline_span *out, const void **what) {
  const ls_record *r = ls_trace_get(i);
  if (!r) return false;
  *out = (timeline_span){.known = true, .record = i};
  *what = r->prim;
  ls_trace_when(r, &out->begin, &out->end);
  if (lane->kind == LS_LANE_HOST) {
    out->end = out->begin;
    out->begin -= r->gap;
    return r->gap > 0;
  }
  return r->device && r->beside == (lane->kind == LS_LANE_EXCHANGES) &&
         strcmp(r->device->name, lane->device) == 0;
}

static bool is_copies(const ls_lane *lane) {
  return lane->kind == LS_LANE_TO_DEVICE || lane->kind == LS_LANE_TO_HOST;
}

static bool copy_span(const ls_lane *lane, const ls_copy *c, timeline_span *out) {
  *out = (timeline_span){.known = true, .begin = c->begin, .end = c->end, .bytes = c->bytes};
  return c->kind == lane->kind && strcmp(c->device, lane->device) == 0;
}

/* Calls f for every span of the lane that is recorded individually, the oldest first. */
static void each(const ls_lane *lane, void (*f)(void *arg, const timeline_span *s, const void *what),
                 void *arg) {
  timeline_span s;
  const void *what = lane;
  if (is_copies(lane)) {
    const ls_copy *c;
    for (u64 i = 0; (c = ls_timeline_copy_at(i)); i++)
      if (copy_span(lane, c, &s)) f(arg, &s, what);
    return;
  }
  const u64 last = ls_trace_last();
  for (u64 i = ls_trace_first(); i && i <= last; i++)
    if (record_span(lane, i, &s, &what)) f(arg, &s, lane->kind == LS_LANE_HOST ? lane : what);
}

static void add_one(void *arg, const timeline_span *s, const void *what) {
  lane_cells *l = arg;
  const ls_time_histogram *c = &l->cells;
  if (s->begin < l->past) return;
  const f64 past = c->from + c->width * c->count, seconds = fmin(s->end, past) - fmax(s->begin, c->from);
  ls_time_histogram_add(&l->cells, what, s->begin, s->end);
  if (seconds >= 0) add_sum(l, what, seconds, s->begin >= c->from && s->begin < past);
}

static int by_time(const void *a, const void *b) {
  const f64 x = ((const timeline_sum *)a)->seconds, y = ((const timeline_sum *)b)->seconds;
  return x > y ? -1 : x < y;
}

/* The time from which on every span of the lane is recorded individually. */
static f64 known_from(const ls_lane *lane) {
  if (is_copies(lane)) {
    const ls_copy *c = ls_timeline_copy_at(0);
    return c && ls_timeline_copy_at(LS_TIMELINE_COPIES - 1) ? c->begin : 0;
  }
  const ls_record *oldest = ls_trace_first() > 1 ? ls_trace_get(ls_trace_first()) : NULL;
  f64 begin = 0, end;
  if (oldest) ls_trace_when(oldest, &begin, &end);
  return begin;
}

void timeline_take(const timeline_window *w, int columns, bool running, timeline_picture *out) {
  out->columns = columns < TIMELINE_COLUMNS ? columns : TIMELINE_COLUMNS;
  out->lanes = out->sums = 0;
  memset(out->cell, 0, sizeof out->cell);
  for (int i = 0; out->lanes < TIMELINE_LANES && (out->lane[out->lanes] = ls_timeline_lane(i)); i++) {
    const ls_lane *lane = out->lane[out->lanes];
    const f64 width = (w->to - w->from) / out->columns;
    lane_cells l = {lane, {w->from, width, out->columns, out->cell[out->lanes++]}, out, INFINITY};
    if (!(width > 0)) continue;
    const bool few = ls_trace_first() <= 1 && ls_trace_last() < FEW;
    if (!running && (few || lane->cells.width * 2 > width)) /* rounded up to whole cells */
      l.past = ceil(known_from(lane) / lane->cells.width) * lane->cells.width;
    if (l.past > w->from) spread(&l);
    if (l.past < w->to) each(lane, add_one, &l);
  }
  qsort(out->sum, (size_t)out->sums, sizeof *out->sum, by_time);
}

typedef struct search {
  f64 at, left, right;
  bool holds;
  timeline_span best;
} search;

static void look(void *arg, const timeline_span *s, const void *what) {
  search *f = arg;
  (void)what;
  const bool holds = s->begin <= f->at && f->at <= s->end;
  const f64 overlap = fmin(s->end, f->right) - fmax(s->begin, f->left);
  if (f->holds && !holds) return;
  if (holds == f->holds && !(overlap > f->best.overlap)) return;
  if (!holds && overlap < 0) return;
  f->best = *s;
  f->best.overlap = overlap;
  f->holds = holds;
}

timeline_span timeline_find(const ls_lane *lane, f64 at, f64 left, f64 right) {
  search f = {.at = at, .left = left, .right = right, .best = {.overlap = -INFINITY}};
  each(lane, look, &f);
  return f.best;
}

static void look_after(void *arg, const timeline_span *s, const void *what) {
  search *f = arg;
  (void)what;
  if (s->begin > f->at && (!f->best.known || s->begin < f->best.begin)) f->best = *s;
}

static void look_before(void *arg, const timeline_span *s, const void *what) {
  search *f = arg;
  (void)what;
  if (s->end < f->at && (!f->best.known || s->end > f->best.end)) f->best = *s;
}

timeline_span timeline_next(const ls_lane *lane, f64 at, bool forward) {
  search f = {.at = at};
  each(lane, forward ? look_after : look_before, &f);
  return f.best;
}
