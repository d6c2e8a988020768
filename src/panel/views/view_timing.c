/* The timing view: the cost of every kernel, as in the summary of a system profiler: times, the share of the
 * total time, the rate reached, and its share of what the device can do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "panel/views/table.h"
#include "run/record/load_balance.h"
#include "run/record/trace.h"

enum { ROWS = 256 };

/* Sort orders; TOTAL is 0, the default. */
enum { TOTAL, NAME, CALLS, AVERAGE, MEDIAN, LEAST, MOST, RATE, LIMIT, SORTS };

enum {
  C_NAME,
  C_CALLS,
  C_TOTAL,
  C_SHARE,
  C_BAR,
  C_AVERAGE,
  C_MEDIAN,
  C_LEAST,
  C_MOST,
  C_RATE,
  C_LIMIT,
  C_PART,
  C_BOUND,
  COLUMNS
};

static const ls_column columns[COLUMNS] = {
    {"kernel", 13, 24, false, 100, NAME}, {"n", 6, 0, true, 90, CALLS},
    {"total ms", 9, 0, true, 95, SORTS},  {"%", 4, 0, true, 89, 0},
    {"time", 6, 16, false, 20, 0},        {"avg us", 7, 0, true, 80, AVERAGE},
    {"med us", 7, 0, true, 40, MEDIAN},   {"min us", 7, 0, true, 30, LEAST},
    {"max us", 7, 0, true, 60, MOST},     {"GB/s", 6, 0, true, 70, RATE},
    {"limit", 8, 16, false, 50, 0},       {"%lim", 4, 0, true, 75, LIMIT},
    {"by", 3, 0, false, 54, 0},
};

static int sorted_by;
static bool reversed;

static f64 rate(const ls_stat *s) { return s->total > 0 ? s->bytes / s->total : 0; }

static f64 key_of(const ls_stat *s) {
  switch (sorted_by) {
  case CALLS: return (f64)s->calls;
  case AVERAGE: return s->average;
  case MEDIAN: return s->median;
  case LEAST: return s->min;
  case MOST: return s->max;
  case RATE: return rate(s);
  case LIMIT: return s->limit;
  default: return s->total;
  }
}

/* Compares rows for sorting; the host gap always comes after all kernels. */
static int compare(const void *a, const void *b) {
  const ls_stat *x = a, *y = b;
  if (!x->prim || !y->prim) return (x->prim == NULL) - (y->prim == NULL);
  const int by_name = strcmp(x->name, y->name);
  const f64 i = key_of(x), j = key_of(y);
  int order = sorted_by == NAME || i == j ? by_name : i > j ? -1 : 1;
  return reversed ? -order : order;
}

/* A number in up to `width` characters, with about three significant digits. */
static const char *fit(f64 x, int width, char out[32]) {
  snprintf(out, 32, "%.*f", x < 9.995 ? 2 : x < 999.5 ? 1 : 0, x);
  if ((int)strlen(out) > width) snprintf(out, 32, "%.0f", x);
  return (int)strlen(out) > width ? ls_short_count(x, out) : out;
}

static void draw_row(const ls_table *t, int row, const ls_stat *s, f64 all, f64 widest) {
  const ls_view_draw *d = t->d;
  const ls_style number = s->prim ? LS_TEXT_STYLE : LS_DIM;
  char text[32], name[64];
  const f64 values[] = {s->average, s->median, s->min, s->max};
  snprintf(name, sizeof name, "%s", s->name);
  if (s->device && s->device != ls_device_current()) {
    size_t used = strlen(name);
    snprintf(name + used, sizeof name - used, " %s", s->device->name);
  }
  ls_table_cell(t, row, C_NAME, ls_view_matches(d->state, name) ? LS_FOUND : number, name);
  if (s->calls < 1000000)
    snprintf(text, sizeof text, "%llu", (unsigned long long)s->calls);
  else
    ls_short_count((f64)s->calls, text);
  ls_table_cell(t, row, C_CALLS, number, text);
  snprintf(text, sizeof text, s->total < 99 ? "%.3f" : "%.0f", 1e3 * s->total);
  ls_table_cell(t, row, C_TOTAL, s->prim ? LS_NUMBER : LS_DIM, text);
  for (int i = 0; i < 4; i++) ls_table_cell(t, row, C_AVERAGE + i, number, fit(1e6 * values[i], 7, text));
  snprintf(text, sizeof text, "%.0f", all > 0 ? 100 * s->total / all : 0);
  ls_table_cell(t, row, C_SHARE, number, text);
  if (t->at[C_BAR] >= 0 && widest > 0)
    ls_draw_bar(d->canvas, d->in, row, t->at[C_BAR], t->width[C_BAR], s->total / widest,
                s->prim ? LS_BAR : LS_DIM);
  ls_table_cell(t, row, C_RATE, number, s->bytes > 0 ? fit(1e-9 * rate(s), 6, text) : "-");
  if (s->limit < 0) {
    ls_table_cell(t, row, C_PART, LS_DIM, "-");
    return;
  }
  snprintf(text, sizeof text, "%.0f", 100 * s->limit);
  ls_table_cell(t, row, C_PART, number, text);
  ls_table_cell(t, row, C_BOUND, LS_DIM, s->bound);
  ls_table_limit(t, row, C_LIMIT, s);
}

/* The sort order; checked, because the state may come from a file. */
static int sort_of(const ls_view_state *st) { return st->sort > 0 && st->sort < SORTS ? st->sort : 0; }

/* Draws what each rank has done, at the bottom: all lines if there is space, else only the last one, which
 * names the slowest rank. Returns how many rows are left for the kernels. */
static int draw_ranks(const ls_view_draw *d) {
  const int all = ls_load_balance_lines(), rows = d->in.rows;
  const int shown = rows >= all + 6 ? all : rows >= 4 ? 1 : 0;
  char text[160];
  if (!all) return rows;
  for (int i = 0; i < shown; i++) {
    const int line = all - shown + i;
    ls_load_balance_line(line, text, sizeof text);
    ls_draw_cut(d->canvas, d->in, rows - shown + i, 0, d->in.cols,
                line > 0 && line < all - 1 ? LS_TEXT_STYLE : LS_DIM, text);
  }
  return rows - shown;
}

static void draw(const ls_view_draw *d) {
  ls_stat rows[ROWS];
  ls_view_state *st = d->state;
  int n = ls_trace_stats(rows, ROWS);
  if (n > ROWS) n = ROWS;
  if (n == 0) {
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM,
                "no primitive has run yet: scc(g), or start scc(g) and step");
    return;
  }
  f64 all = 0, widest = 0;
  for (int i = 0; i < n; i++) {
    all += rows[i].total;
    if (rows[i].total > widest) widest = rows[i].total;
  }
  sorted_by = sort_of(st);
  reversed = st->reverse;
  qsort(rows, (size_t)n, sizeof *rows, compare);
  const int room = draw_ranks(d);
  ls_table t;
  ls_table_begin(&t, d, columns, COLUMNS);
  bool rising = sorted_by == NAME; /* names in ascending order, numbers in descending order */
  ls_table_head(&t, 0, sorted_by ? sorted_by : SORTS, rising == reversed);
  bool gap = rows[n - 1].prim == NULL;
  int page = room - 1 - (gap && room > 2); /* the host gap is always shown */
  ls_view_settle(d, n - gap, page);
  for (int i = 0; i < st->page && st->scroll + i < n - gap; i++)
    draw_row(&t, 1 + i, &rows[st->scroll + i], all, widest);
  if (gap && room > 2) {
    int last = 1 + (n - gap < page ? n - gap : page);
    draw_row(&t, last, &rows[n - 1], all, widest);
  }
}

static bool key(ls_view_state *st, int k) {
  if (k == 's')
    st->sort = (sort_of(st) + 1) % SORTS;
  else if (k == 'S')
    st->sort = (sort_of(st) + SORTS - 1) % SORTS;
  else if (k == 'r')
    st->reverse = !st->reverse;
  else
    return false;
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  static const char *const names[SORTS] = {"total time", "name",    "calls", "average",           "median",
                                           "minimum",    "maximum", "GB/s",  "share of the limit"};
  snprintf(out, bytes, "timing: by %s%s", names[sort_of(st)], st->reverse ? ", reversed" : "");
}

static bool empty(void) { return ls_trace_stats(NULL, 0) == 0; }

const ls_view ls_view_timing = {
    "timing", "timing", 2, 20, draw, key, "s S sort by the next, the previous column; r reverse",
    caption,  empty};
