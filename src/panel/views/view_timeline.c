/* The timeline view: what ran when in the last run. One row for the kernels of each device, one for the
 * copies in each direction, and one for the gaps in which the devices waited for the host. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/session.h"
#include "panel/views/table.h"
#include "panel/views/timeline.h"

enum { POWERS = 40, LABEL = 10, KERNELS = 52, TICK = 11 };

static timeline_picture picture;
static f64 at, from; /* the time at the cursor, and at the left edge of the window */

/* --- which run, which window ------------------------------------------------------------------------- */

static int power_of(const ls_view_state *st) {
  return st->choice < 0 ? 0 : st->choice < POWERS ? st->choice : POWERS;
}

static timeline_window window_of(const ls_view_state *st) {
  static u64 run_before;
  const u64 run = ls_session_first();
  timeline_window w = {.begin = st->reverse ? 0 : ls_trace_began(run), .end = ls_timeline_end()};
  if (w.end <= w.begin) w.end = w.begin + 1e-6;
  if (run != run_before) at = from = w.begin;
  run_before = run;
  if (!(at >= w.begin)) at = w.begin;
  if (at > w.end) at = w.end;
  timeline_place(&w, power_of(st), from, at);
  from = w.from;
  return w;
}

/* --- signs: one letter per kernel, in the order of first appearance ---------------------------------- */

static const void *kernels[KERNELS];

static int number_of(const void *what) {
  for (int i = 0; i < KERNELS; i++) {
    if (!kernels[i]) kernels[i] = what;
    if (kernels[i] == what) return i;
  }
  return KERNELS;
}

static u32 letter_of(int number) {
  return number < 26 ? (u32)('a' + number) : number < KERNELS ? (u32)('A' + number - 26) : '?';
}

static ls_style style_of(const ls_lane *lane, const void *what) {
  return lane->kind != LS_LANE_KERNELS ? LS_BAR : (ls_style)(LS_SERIES1 + number_of(what) % 6);
}

static const char *lane_name(const ls_lane *lane) {
  switch (lane->kind) {
  case LS_LANE_KERNELS: return "kernels";
  case LS_LANE_EXCHANGES: return "exchanges";
  case LS_LANE_TO_DEVICE: return "to device";
  case LS_LANE_TO_HOST: return "to host";
  default: return "host gaps";
  }
}

/* --- drawing ----------------------------------------------------------------------------------------- */

static void draw_axis(const ls_view_draw *d, ls_rect in, const timeline_window *w) {
  const f64 seen = w->to - w->from, step = timeline_tick(seen, in.cols, TICK);
  const bool near = seen < 0.05 * (w->from - w->begin); /* labels count from the left edge */
  char text[32], time[16];
  for (f64 t = near ? 0 : ceil((w->from - w->begin) / step) * step;; t += step) {
    const f64 moment = near ? w->from + t : w->begin + t;
    const int col = (int)((moment - w->from) / seen * in.cols + 0.5);
    if (col >= in.cols || !(step > 0)) return;
    if (near && t == 0)
      snprintf(text, sizeof text, "|%.6fms", 1e3 * (w->from - w->begin));
    else
      snprintf(text, sizeof text, "|%s%s", near ? "+" : "", t == 0 ? "0" : ls_short_time(t, time));
    if (near && t > 0 && col < 16) continue;
    if (col + (int)strlen(text) <= in.cols) ls_draw_text(d->canvas, in, 0, col, LS_DIM, text);
  }
}

static void draw_full(const ls_view_draw *d, ls_rect in, int row, int col, f64 share, ls_style style) {
  if (!(share > 0)) return;
  if (!ls_canvas_braille(d->canvas)) {
    ls_draw_heat(d->canvas, in, row, col, share, style);
    return;
  }
  const int parts = (int)(share * 8 + 0.5);
  ls_draw_char(d->canvas, in, row, col, style, 0x2580u + (u32)(parts < 1 ? 1 : parts > 8 ? 8 : parts));
}

static const void *most_of(const ls_time_cell *c) {
  const ls_work_part *p = ls_time_cell_most(c);
  return p ? p->what : NULL;
}

/* Draws the letters of kernels; the name if a single launch fills three columns or more. */
static void draw_names(const ls_view_draw *d, ls_rect in, int row, const ls_lane *lane,
                       const ls_time_cell *cell) {
  for (int c = 0; c < in.cols;) {
    const void *what = most_of(&cell[c]);
    int end = c + 1;
    while (what && end < in.cols && cell[end].count == 0 && most_of(&cell[end]) == what) end++;
    const u32 letter = what ? letter_of(number_of(what)) : ' ';
    const ls_style style = what ? style_of(lane, what) : LS_TEXT_STYLE;
    if (what && end - c >= 3)
      ls_draw_cut(d->canvas, in, row, c, end - c - 1, style, ((const ls_prim *)what)->name);
    else if (what)
      for (int i = c; i < end; i++) ls_draw_char(d->canvas, in, row, i, style, letter);
    c = end;
  }
}

static int rows_of(const ls_lane *lane) { return lane->kind == LS_LANE_KERNELS ? 2 : 1; }

static void draw_lane(const ls_view_draw *d, int row, int label, int i, int column, f64 width) {
  const ls_lane *lane = picture.lane[i];
  const ls_time_cell *cell = picture.cell[i];
  const ls_rect in = ls_rect_columns(d->in, label, d->in.cols - label);
  const bool chosen = d->focused && d->state->cursor == i;
  int bar = row;
  if (lane->kind == LS_LANE_KERNELS) {
    ls_draw_cut(d->canvas, d->in, row, 0, label - 1, LS_TITLE, lane->device);
    draw_names(d, in, row, lane, cell);
    bar++;
  }
  if (chosen) ls_draw_char(d->canvas, d->in, bar, 0, LS_CURSOR, '>');
  ls_draw_cut(d->canvas, d->in, bar, 1, label - 2, chosen ? LS_CURSOR : LS_DIM, lane_name(lane));
  for (int c = 0; c < picture.columns; c++)
    draw_full(d, in, bar, c, cell[c].busy / width, style_of(lane, most_of(&cell[c])));
  if (chosen) {
    ls_cell *under = ls_canvas_at(d->canvas, in.row + bar, in.col + column);
    if (under && under->ch == ' ')
      ls_draw_char(d->canvas, in, bar, column, LS_CURSOR, ls_canvas_braille(d->canvas) ? 0x2502 : '|');
    ls_draw_style(d->canvas, in, row, column, 1, LS_CURSOR);
    ls_draw_style(d->canvas, in, bar, column, 1, LS_CURSOR);
  }
}

/* Describes what is at the cursor, in a sentence or two; returns how many rows that takes. */
static int draw_detail(const ls_view_draw *d, int row, const timeline_window *w, int lane, int column) {
  const ls_lane *l = picture.lane[lane];
  const f64 width = (w->to - w->from) / picture.columns, left = w->from + width * column;
  const ls_time_cell *cell = &picture.cell[lane][column];
  const ls_work_part *most = ls_time_cell_most(cell);
  const bool kernels_lane = l->kind == LS_LANE_KERNELS || l->kind == LS_LANE_EXCHANGES;
  char text[320], begin[16], time[16];
  timeline_span s = {0};
  if (!d->running) s = timeline_find(l, at, left, left + width);
  if (s.known) {
    const ls_record *r = ls_trace_get(s.record);
    char bytes[16], seq[32] = "";
    snprintf(text, sizeof text, "%s",
             kernels_lane && r         ? r->prim->name
             : l->kind == LS_LANE_HOST ? "gap"
                                       : "copy");
    if (kernels_lane && r) snprintf(seq, sizeof seq, " #%llu", (unsigned long long)r->number);
    if (s.bytes) snprintf(seq, sizeof seq, " of %s", ls_short_bytes((f64)s.bytes, bytes));
    const size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s begins at %s, takes %s, %.2g%% of the run%s%s", seq,
             ls_short_time(s.begin - w->begin, begin), ls_short_time(s.end - s.begin, time),
             100 * (s.end - s.begin) / (w->end - w->begin), r && *r->where ? "; " : "", r ? r->where : "");
    if (cell->count > 1) {
      const size_t used = strlen(text);
      snprintf(text + used, sizeof text - used, ". This column: %llu %s", (unsigned long long)cell->count,
               kernels_lane              ? "launches"
               : l->kind == LS_LANE_HOST ? "gaps"
                                         : "copies");
    }
  } else if (most) {
    snprintf(text, sizeof text, "%s: %s of the %s from %s on",
             kernels_lane ? ((const ls_prim *)most->what)->name : lane_name(l),
             ls_short_time(most->seconds, time), ls_short_time(width, (char[16]){0}),
             ls_short_time(left - w->begin, begin));
  } else {
    snprintf(text, sizeof text, "%s: nothing at %s", lane_name(l), ls_short_time(at - w->begin, begin));
  }
  return ls_draw_words(d->canvas, ls_rect_cut(d->in, row), 0, 0, LS_TEXT_STYLE, text);
}

/* Lists the kernels in the visible part, of all devices, by decreasing time. */
static void draw_legend(const ls_view_draw *d, ls_rect in, f64 seen) {
  enum { WIDE = 46 };
  const timeline_sum *sums = picture.sum;
  const int n = picture.sums, across = in.cols >= WIDE ? in.cols / WIDE : 1;
  if (n < in.rows) {
    ls_draw_cut(d->canvas, in, 0, 0, in.cols, LS_TITLE, "in view: launches, time, share of what is seen");
    in = ls_rect_cut(in, 1);
  }
  for (int i = 0; i < n; i++) {
    const int row = i % in.rows, col = i / in.rows * WIDE, number = number_of(sums[i].prim);
    char time[16], count[16], text[48];
    if (i / in.rows >= across) return;
    ls_draw_char(d->canvas, in, row, col, (ls_style)(LS_SERIES1 + number % 6), letter_of(number));
    const ls_style style = ls_view_matches(d->state, sums[i].prim->name) ? LS_FOUND : LS_TEXT_STYLE;
    const int name = in.cols - 24 < 20 ? in.cols - 24 : 20;
    ls_draw_cut(d->canvas, in, row, col + 2, name, style, sums[i].prim->name);
    snprintf(text, sizeof text, "%6s %7s %5.1f%%", ls_full_count((f64)sums[i].count, false, count),
             ls_short_time(sums[i].seconds, time), 100 * sums[i].seconds / seen);
    ls_draw_cut(d->canvas, in, row, col + name + 2, in.cols - col - name - 2, LS_DIM, text);
  }
}

static void draw(const ls_view_draw *d) {
  ls_view_state *st = d->state;
  const timeline_window w = window_of(st);
  const int label = LABEL + 1, columns = d->in.cols - label;
  timeline_take(&w, columns, d->running, &picture);
  if (picture.lanes == 0) {
    ls_draw_words(d->canvas, d->in, 0, 0, LS_DIM,
                  "no primitive has run yet: scc(g), or start scc(g) and step");
    return;
  }
  ls_view_settle(d, picture.lanes, picture.lanes);
  if (st->cursor < 0) st->cursor = 0;
  const f64 width = (w.to - w.from) / picture.columns;
  int column = (int)((at - w.from) / width);
  column = column < 0 ? 0 : column < picture.columns ? column : picture.columns - 1;
  draw_axis(d, ls_rect_columns(d->in, label, picture.columns), &w);
  if (d->focused)
    ls_draw_char(d->canvas, d->in, 0, label + column, LS_CURSOR, ls_canvas_braille(d->canvas) ? 0x25bc : 'v');
  int row = 1;
  for (int i = 0; i < picture.lanes && row < d->in.rows; row += rows_of(picture.lane[i]), i++)
    draw_lane(d, row, label, i, column, width);
  if (row >= d->in.rows) return;
  row += draw_detail(d, row, &w, st->cursor, column);
  if (row < d->in.rows) draw_legend(d, ls_rect_cut(d->in, row), w.to - w.from);
}

/* --- keys -------------------------------------------------------------------------------------------- */

static void zoom(ls_view_state *st, int by) {
  const timeline_window w = window_of(st);
  const f64 share = (at - w.from) / (w.to - w.from); /* the time at the cursor stays in its column */
  const int power = power_of(st) + by;
  st->choice = power < 0 ? 0 : power < POWERS ? power : POWERS;
  from = at - share * ldexp(w.end - w.begin, -st->choice);
}

static void to_next(const ls_view_state *st, bool forward) {
  const int lane = st->cursor;
  if (lane < 0 || lane >= picture.lanes || ls_timeline_lane(lane) != picture.lane[lane]) return;
  const timeline_span s = timeline_next(picture.lane[lane], at, forward);
  if (s.known) at = (s.begin + s.end) / 2;
}

static bool key(ls_view_state *st, int k) {
  const timeline_window w = window_of(st);
  const f64 seen = w.to - w.from, step = seen / (picture.columns > 0 ? picture.columns : 1);
  switch (k) {
  case '+':
  case '=': zoom(st, 1); break;
  case '-': zoom(st, -1); break;
  case '0': st->choice = 0; break;
  case 'a': st->reverse = !st->reverse; break;
  case LS_KEY_LEFT: at -= step; break;
  case LS_KEY_RIGHT: at += step; break;
  case '<': from -= seen / 2, at -= seen / 2; break;
  case '>': from += seen / 2, at += seen / 2; break;
  case LS_KEY_HOME: at = from = w.begin; break;
  case LS_KEY_END: at = w.end; break;
  case '[': to_next(st, false); break;
  case ']': to_next(st, true); break;
  default: return false;
  }
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  const timeline_window w = window_of(st);
  char whole[16], seen[16];
  const int power = power_of(st);
  snprintf(out, bytes, "timeline: %s, %s", st->reverse ? "all runs" : "last run",
           ls_short_time(w.end - w.begin, whole));
  const size_t n = strlen(out);
  if (power) snprintf(out + n, bytes - n, ", seen %s", ls_short_time(w.to - w.from, seen));
}

static bool empty(void) { return ls_timeline_lane(0) == NULL; }

const ls_view ls_view_timeline = {
    "timeline",
    "timeline",
    4,
    24,
    draw,
    key,
    "+ - 0 zoom; < > pan; [ ] the launch before, after; up, down another row; a all runs",
    caption,
    empty};
