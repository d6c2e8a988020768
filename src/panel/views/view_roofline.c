/* The roofline view: every kernel compared with the measured limits of its device. As in Williams, Waterman,
 * Patterson 2009, but for kernels that move bytes rather than compute: the roof is the copy rate or, if many
 * accesses are irregular, the rate of gathers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "panel/canvas/figure.h"
#include "panel/views/table.h"
#include "run/devices/limits.h"
#include "run/record/trace.h"

enum { ROWS = 26 }; /* as many as there are letters */

/* Collects at most ROWS kernels on the device whose share of the limit is known, by decreasing time. placed:
 * only those whose place under the roof is known: their bytes and gathers are exact, not upper bounds. */
static int kernels(const ls_device *device, bool placed, ls_stat *rows) {
  static ls_stat all[256];
  int n = ls_trace_stats(all, 256), kept = 0;
  if (n > 256) n = 256;
  for (int i = 0; i < n && kept < ROWS; i++)
    if (all[i].prim && all[i].device == device && all[i].limit >= 0 &&
        !(placed && (all[i].bytes_at_most > 0 || all[i].gathers_at_most > 0)))
      rows[kept++] = all[i];
  return kept;
}

/* --- bars -------------------------------------------------------------------------------------------- */

enum { C_SIGN, C_NAME, C_BOUND, C_RATE, C_GATHERS, C_BAR, C_SHARE, COLUMNS };

static const ls_column columns[COLUMNS] = {
    {"", 1, 0, false, 99, 0},    {"kernel", 13, 24, false, 100, 0}, {"by", 3, 0, false, 60, 0},
    {"GB/s", 6, 0, true, 70, 0}, {"G acc/s", 7, 0, true, 50, 0},    {"of the limit", 12, 80, false, 80, 0},
    {"%", 5, 0, true, 90, 0},
};

static void draw_bars(const ls_view_draw *d, const ls_stat *rows, int n) {
  ls_table t;
  char text[16];
  ls_table_begin(&t, d, columns, COLUMNS);
  ls_table_head(&t, 0, 0, false);
  ls_view_settle(d, n, d->in.rows - 1);
  for (int i = 0; i < d->state->page && d->state->scroll + i < n; i++) {
    const ls_stat *s = &rows[d->state->scroll + i];
    const int row = 1 + i;
    const char sign[2] = {(char)('a' + d->state->scroll + i), '\0'};
    ls_table_cell(&t, row, C_SIGN, LS_DIM, sign);
    ls_table_cell(&t, row, C_NAME, ls_view_matches(d->state, s->prim->name) ? LS_FOUND : LS_TEXT_STYLE,
                  s->prim->name);
    ls_table_cell(&t, row, C_BOUND, LS_DIM, s->bound);
    snprintf(text, sizeof text, "%.*f", s->bytes / s->total < 99.5e9 ? 2 : 0, 1e-9 * s->bytes / s->total);
    ls_table_cell(&t, row, C_RATE, LS_TEXT_STYLE, s->bytes > 0 ? text : "-");
    snprintf(text, sizeof text, "%.3f", 1e-9 * s->gathers / s->total);
    ls_table_cell(&t, row, C_GATHERS, LS_TEXT_STYLE, s->gathers > 0 ? text : "-");
    snprintf(text, sizeof text, "%.1f", 100 * s->limit);
    ls_table_cell(&t, row, C_SHARE, LS_NUMBER, text);
    ls_table_limit(&t, row, C_BAR, s);
  }
}

/* --- the roof ---------------------------------------------------------------------------------------- */

enum { ROOF = 64 };

/* Points of the roof: the rate in GB/s that can be reached with x irregular accesses per byte, in arrays of
 * one of the measured sizes. */
static int roof(const ls_limits *l, int size, f64 x0, f64 x1, ls_xy *out) {
  for (int i = 0; i < ROOF; i++) {
    const f64 x = x0 * pow(x1 / x0, i / (f64)(ROOF - 1));
    out[i] = (ls_xy){x, 1e-9 * fmin(l->stream[size], l->gather[size] / x)};
  }
  return ROOF;
}

static void draw_roof(const ls_view_draw *d, const ls_limits *l, const ls_stat *rows, int n) {
  ls_xy near[ROOF], far[ROOF], at[ROWS];
  const f64 x0 = 0.01, x1 = 0.5; /* no gathers: at the left edge; only gathers of 4 bytes: at 0.25 */
  f64 least = 1e-9 * l->copy;
  for (int i = 0; i < n; i++) {
    const f64 bytes = rows[i].bytes > 0 ? rows[i].bytes : 4 * rows[i].gathers;
    f64 x = rows[i].gathers / bytes;
    x = x < x0 ? x0 : x > x1 ? x1 : x;
    at[i] = (ls_xy){x, 1e-9 * bytes / rows[i].total};
    if (at[i].y < least) least = at[i].y;
  }
  const ls_axes axes = {x0, x1, pow(10, floor(log10(least))), 2e-9 * fmax(l->copy, l->stream[0]), true, true};
  ls_figure_line lines[2] = {
      {.style = LS_DIM, .points = near, .count = roof(l, 0, x0, x1, near)},
      {.style = LS_DIM, .points = far, .count = roof(l, LS_GATHER_SIZES - 1, x0, x1, far)},
  };
  const int legend = d->in.cols >= 60 ? 26 : 0;
  const ls_rect plot = ls_rect_columns(d->in, 0, d->in.cols - legend);
  const ls_rect inner = ls_figure_draw(d->canvas, plot, &axes, lines, 2, "irregular accesses/byte");
  ls_draw_cut(d->canvas, inner, 0, 1, inner.cols - 1, LS_TITLE, "GB/s");
  for (int i = n - 1; i >= 0; i--) {
    int x, y;
    if (!ls_axes_place(d->canvas, inner, &axes, at[i], &x, &y)) continue;
    int row = y / ls_dots_down(d->canvas), col = x / ls_dots_across(d->canvas);
    for (int tries = 0; tries < 4; tries++, col++) { /* to the right of letters already there */
      const ls_cell *cell = ls_canvas_at(d->canvas, inner.row + row, inner.col + col);
      if (!cell || col >= inner.cols || cell->ch < 'a' || cell->ch > 'z') break;
    }
    ls_draw_char(d->canvas, inner, row, col, (ls_style)(LS_SERIES1 + i % 6), (u32)('a' + i));
  }
  if (!legend) return;
  const ls_rect right = ls_rect_columns(d->in, d->in.cols - legend + 2, legend - 2);
  for (int i = 0; i < n && i < right.rows; i++) {
    char text[16];
    ls_draw_char(d->canvas, right, i, 0, (ls_style)(LS_SERIES1 + i % 6), (u32)('a' + i));
    ls_draw_cut(d->canvas, right, i, 2, right.cols - 12, LS_TEXT_STYLE, rows[i].prim->name);
    snprintf(text, sizeof text, "%.0f %% %s", 100 * rows[i].limit, rows[i].bound);
    ls_draw_right(d->canvas, right, i, right.cols, LS_DIM, text);
  }
}

static void draw(const ls_view_draw *d) {
  ls_stat rows[ROWS];
  ls_limits l;
  char text[96];
  const ls_device *device = ls_device_current();
  const bool known = ls_limits_known(device, &l);
  const bool under_roof = d->state->choice == 1 && d->in.rows >= 5 && d->in.cols >= 30;
  const int n = known ? kernels(device, under_roof, rows) : 0;
  if (!known) {
    snprintf(text, sizeof text, "%s: no limits known yet; device.limits() measures them, once", device->name);
    ls_draw_words(d->canvas, d->in, 0, 0, LS_DIM, text);
  } else if (n == 0) {
    snprintf(text, sizeof text, "no kernel has run on %s yet whose share of a limit is known", device->name);
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM, text);
  } else if (under_roof) {
    draw_roof(d, &l, rows, n);
  } else {
    draw_bars(d, rows, n);
  }
}

static bool key(ls_view_state *st, int k) {
  if (k != 'm') return false;
  st->choice = !st->choice;
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  ls_limits l;
  char copy[16], near[16], far[16];
  const ls_device *device = ls_device_current();
  if (!ls_limits_known(device, &l))
    snprintf(out, bytes, "roofline: %s", device->name);
  else
    snprintf(out, bytes, "roofline: %s copies %sB/s, gathers %s..%s/s%s", device->name,
             ls_short_count(l.copy, copy), ls_short_count(l.gather[LS_GATHER_SIZES - 1], far),
             ls_short_count(l.gather[0], near), st->choice ? " (log)" : "");
}

static bool empty(void) { return ls_trace_stats(NULL, 0) == 0; }

const ls_view ls_view_roofline = {"roofline", "roofline",           2,       20,   draw,
                                  key,        "m bars or the roof", caption, empty};
