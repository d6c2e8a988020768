/* The convergence view: plots the values of iteration marks, and the counts that primitives return, over the
 * steps of the run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "panel/canvas/figure.h"
#include "panel/views/series.h"
#include "panel/views/view.h"

enum { LINES = 6 };
enum { AUTO, MARKS, COUNTS, CHOICES };

/* Selects at most LINES series to draw: the one named, or all of the chosen kind; those of a single point
 * only if there are no others. */
static int choose(const ls_view_state *st, const ls_series_set *set, const ls_series *out[LINES]) {
  int n = 0;
  for (int i = 0; *st->name && i < set->count; i++)
    if (strcmp(set->series[i].name, st->name) == 0) {
      out[0] = &set->series[i];
      return 1;
    }
  bool marks = st->choice != COUNTS && set->count > 0 && set->series[0].mark;
  if (st->choice == AUTO && marks && set->series[0].count < 2)
    marks = false; /* counts say more than a single dot */
  for (int least = 2; least > 0 && n == 0; least--)
    for (int i = 0; i < set->count && n < LINES; i++)
      if (set->series[i].count >= least && set->series[i].mark == marks) out[n++] = &set->series[i];
  return n;
}

/* By default the scale is logarithmic if the largest values of the lines differ by more than a factor of 30.
 * The key l inverts that. */
static bool logarithmic(const ls_view_state *st, const ls_series *const *chosen, int n) {
  f64 least = INFINITY, most = 0;
  for (int i = 0; i < n; i++) {
    f64 top = 0;
    for (int k = 0; k < chosen[i]->count; k++) top = fmax(top, fabs(chosen[i]->points[k].y));
    if (top > 0) least = fmin(least, top), most = fmax(most, top);
  }
  return (most > 30 * least) != st->log;
}

/* The change since the point before. */
static const char *change_of(const ls_series *s, char out[24]) {
  if (s->count < 2) return "";
  const f64 last = s->last, before = s->previous;
  if (before != 0 && last != before && fabs(last - before) < 99.5 * fabs(before))
    snprintf(out, 24, "%+.0f%%", 100 * (last - before) / fabs(before));
  else
    snprintf(out, 24, "%s", last == before ? "=" : last > before ? "up" : "down");
  return out;
}

/* A name for series i in `width` columns: trim.trimmed; if that is too long, trimmed; if another series has
 * the same last part, trim. */
static void short_name(const ls_series *const *chosen, int n, int i, int width, char *out, size_t bytes) {
  const char *name = chosen[i]->name, *dot = strchr(name, '.');
  snprintf(out, bytes, "%s", name);
  if (!dot || ls_text_width(name) <= width) return;
  bool alone = true;
  for (int k = 0; k < n; k++) {
    const char *other = strchr(chosen[k]->name, '.');
    if (k != i && other && strcmp(other, dot) == 0) alone = false;
  }
  if (alone)
    snprintf(out, bytes, "%s", dot + 1);
  else
    out[dot - name] = '\0';
}

/* The newest value; whole numbers below 100000 with all digits. */
static const char *last_of(const ls_series *s, char out[16]) {
  return s->last < 99999.5 && s->last == round(s->last) ? ls_full_count(s->last, false, out)
                                                        : ls_short_count(s->last, out);
}

/* "a live 812 -41%" */
static void legend(const ls_view_draw *d, int row, int col, int width, const ls_series *const *chosen, int n,
                   int i) {
  char value[16], change[24], text[48];
  const ls_series *s = chosen[i];
  const bool changes = width >= 24;
  const int name = width - 2 - 6 - (changes ? 6 : 0);
  short_name(chosen, n, i, name, text, sizeof text);
  ls_draw_char(d->canvas, d->in, row, col, (ls_style)(LS_SERIES1 + i), (u32)('a' + i));
  ls_draw_cut(d->canvas, d->in, row, col + 2, name,
              ls_view_matches(d->state, s->name) ? LS_FOUND : LS_TEXT_STYLE, text);
  const int end = col + 2 + name + 6;
  ls_draw_right(d->canvas, d->in, row, end, LS_NUMBER, last_of(s, value));
  if (changes) ls_draw_right(d->canvas, d->in, row, end + 6, LS_DIM, change_of(s, change));
}

static ls_figure_line line_of(const ls_series *const *chosen, int i) {
  return (ls_figure_line){.sign = (char)('a' + i),
                          .style = (ls_style)(LS_SERIES1 + i),
                          .points = chosen[i]->points,
                          .count = chosen[i]->count};
}

/* The x axis spans the whole run or, if only marks were kept, the marks. */
static ls_axes axes_of(const ls_series_set *set, const ls_figure_line *lines, int n, bool log_y) {
  ls_axes axes = ls_figure_axes(lines, n, false, log_y);
  if (set->steps == 0) return axes;
  axes.x0 = (f64)set->first;
  axes.x1 = (f64)(set->steps > set->first ? set->steps : set->first + 1);
  return axes;
}

static bool in_strips(const ls_series *const *chosen, int n) { return n > 1 && !chosen[0]->mark; }

/* Draws all series on common axes, under their legend. */
static void draw_together(const ls_view_draw *d, const ls_series_set *set, const ls_series *const *chosen,
                          int n) {
  int across = d->in.cols / 26 < 1 ? 1 : d->in.cols / 26, most = d->in.rows / 4 < 1 ? 1 : d->in.rows / 4;
  if (across * most < n) across = d->in.cols / 18 < 1 ? 1 : d->in.cols / 18;
  if (across > n) across = n;
  int width = d->in.cols / across, rows = (n + across - 1) / across;
  if (width > 40) width = 40;
  if (rows > most) rows = most; /* the plot needs the rest */
  ls_figure_line lines[LINES];
  for (int i = 0; i < n; i++) {
    lines[i] = line_of(chosen, i);
    if (i / across < rows) legend(d, i / across, i % across * width, width - 1, chosen, n, i);
  }
  const ls_axes axes = axes_of(set, lines, n, logarithmic(d->state, chosen, n));
  ls_figure_draw(d->canvas, ls_rect_cut(d->in, rows), &axes, lines, n, "step");
}

/* Draws each series in a strip with axes of its own: on common axes, series that rise and fall at different
 * times would hide each other. */
static void draw_strips(const ls_view_draw *d, const ls_series_set *set, const ls_series *const *chosen,
                        int n) {
  enum { NAMES = 26 };
  const int high = d->in.rows / n < 8 ? d->in.rows / n : 8;
  for (int i = 0; i < n; i++) {
    ls_rect strip = {d->in.row + i * high, d->in.col, high, d->in.cols};
    const ls_series *s = chosen[i];
    const ls_figure_line line = line_of(chosen, i);
    char value[16], change[24];
    ls_draw_char(d->canvas, strip, 0, 0, line.style, (u32)line.sign);
    ls_draw_cut(d->canvas, strip, 0, 2, NAMES - 3,
                ls_view_matches(d->state, s->name) ? LS_FOUND : LS_TEXT_STYLE, s->name);
    ls_draw_right(d->canvas, strip, 1, 9, LS_NUMBER, last_of(s, value));
    ls_draw_right(d->canvas, strip, 1, 16, LS_DIM, change_of(s, change));
    strip = ls_rect_columns(strip, NAMES, strip.cols - NAMES);
    strip.rows -= high > 2; /* a blank line between strips */
    const ls_axes axes = axes_of(set, &line, 1, d->state->log);
    ls_figure_strip(d->canvas, strip, &axes, &line);
  }
}

static void draw(const ls_view_draw *d) {
  const ls_series_set *set = ls_series_now();
  const ls_series *chosen[LINES];
  const int n = choose(d->state, set, chosen);
  if (n == 0)
    ls_draw_words(d->canvas, d->in, 0, 0, LS_DIM, "no counts yet: start scc(g) and step");
  else if (in_strips(chosen, n) && d->in.rows >= 2 * n && d->in.cols >= 48)
    draw_strips(d, set, chosen, n);
  else
    draw_together(d, set, chosen, n);
}

static void next_series(ls_view_state *st, int by) {
  const ls_series_set *set = ls_series_now();
  int at = -1;
  for (int i = 0; i < set->count; i++)
    if (strcmp(set->series[i].name, st->name) == 0) at = i;
  at = (at + 1 + by + set->count + 1) % (set->count + 1) - 1; /* -1: all */
  snprintf(st->name, sizeof st->name, "%s", at < 0 ? "" : set->series[at].name);
}

static bool key(ls_view_state *st, int k) {
  switch (k) {
  case 'l': st->log = !st->log; return true;
  case 'c':
    st->choice = st->choice == COUNTS ? MARKS : COUNTS;
    st->name[0] = '\0';
    return true;
  case LS_KEY_DOWN: next_series(st, 1); return true;
  case LS_KEY_UP: next_series(st, -1); return true;
  case 'a': st->name[0] = '\0'; return true;
  default: return false;
  }
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  const ls_series_set *set = ls_series_now();
  const ls_series *chosen[LINES];
  const int n = choose(st, set, chosen);
  snprintf(out, bytes, "convergence: %s%s",
           n == 0            ? "nothing yet"
           : n == 1          ? chosen[0]->name
           : chosen[0]->mark ? "marks"
                             : "counts",
           (in_strips(chosen, n) ? st->log : logarithmic(st, chosen, n)) ? " (log)" : "");
}

static bool empty(void) { return ls_series_now()->count == 0; }

const ls_view ls_view_convergence = {"convergence",
                                     "convergence",
                                     3,
                                     16,
                                     draw,
                                     key,
                                     "l log or linear, Up Down one series, a all, c marks or counts",
                                     caption,
                                     empty};
