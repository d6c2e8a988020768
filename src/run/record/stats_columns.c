#include "run/record/stats_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static f64 a_second(f64 what, const ls_stat *s) { return s->total > 0 ? what / s->total : 0; }

static f64 col_calls(const ls_stat *s) { return (f64)s->calls; }
static f64 col_total(const ls_stat *s) { return s->total; }
static f64 col_average(const ls_stat *s) { return s->average; }
static f64 col_median(const ls_stat *s) { return s->median; }
static f64 col_min(const ls_stat *s) { return s->min; }
static f64 col_max(const ls_stat *s) { return s->max; }
static f64 col_bytes(const ls_stat *s) { return s->bytes > 0 ? s->bytes : NAN; }
static f64 col_gathers(const ls_stat *s) { return s->gathers > 0 ? s->gathers : NAN; }
static f64 col_bytes_at_most(const ls_stat *s) { return s->bytes_at_most > 0 ? s->bytes_at_most : NAN; }
static f64 col_gathers_at_most(const ls_stat *s) { return s->gathers_at_most > 0 ? s->gathers_at_most : NAN; }
static f64 col_edges(const ls_stat *s) { return s->edges > 0 ? s->edges : NAN; }
f64 ls_stat_byte_rate(const ls_stat *s) { return s->bytes > 0 ? a_second(s->bytes, s) : NAN; }
f64 ls_stat_edge_rate(const ls_stat *s) { return s->edge_time > 0 ? s->edges / s->edge_time : NAN; }
static f64 col_limit(const ls_stat *s) { return s->limit >= 0 ? s->limit : NAN; }
static f64 col_limit_at_most(const ls_stat *s) { return s->limit_at_most >= 0 ? s->limit_at_most : NAN; }
f64 ls_stat_gain(const ls_stat *s) {
  const f64 share = s->limit >= 0 ? s->limit : s->limit_at_most;
  return share >= 0 ? s->total * (1 - share) : NAN;
}

const ls_stat_column ls_stat_columns[] = {
    {"calls", col_calls},
    {"total", col_total},
    {"average", col_average},
    {"median", col_median},
    {"min", col_min},
    {"max", col_max},
    {"bytes", col_bytes},
    {"gathers", col_gathers},
    {"bytes_at_most", col_bytes_at_most},
    {"gathers_at_most", col_gathers_at_most},
    {"edges", col_edges},
    {"bytes_per_second", ls_stat_byte_rate},
    {"edges_per_second", ls_stat_edge_rate},
    {"limit", col_limit},
    {"limit_at_most", col_limit_at_most},
    {"gain", ls_stat_gain},
};

const ls_stat_column *ls_stat_column_named(const char *name) {
  for (int c = 0; c < LS_STAT_COLUMNS; c++)
    if (strcmp(ls_stat_columns[c].name, name) == 0) return &ls_stat_columns[c];
  return NULL;
}

bool ls_stats_by_limit(const ls_stat_column *order) {
  return order && (order->value == col_limit || order->value == ls_stat_gain);
}

static const ls_stat_column *sorted_by; /* what compare compares */

static int compare(const void *a, const void *b) {
  const ls_stat *x = a, *y = b;
  if (!x->prim || !y->prim) return (x->prim == NULL) - (y->prim == NULL);
  f64 (*const value)(const ls_stat *) = ls_stats_by_limit(sorted_by) ? ls_stat_gain : sorted_by->value;
  f64 i = value(x), k = value(y);
  if (isnan(i) != isnan(k)) return isnan(i) - isnan(k);
  if (isnan(i)) i = x->total, k = y->total;
  return (i < k) - (i > k);
}

void ls_stats_sort(ls_stat *rows, int n, const ls_stat_column *order) {
  sorted_by = order;
  qsort(rows, (size_t)n, sizeof *rows, compare);
}

void ls_stats_csv(ls_text *b, const ls_stat *rows, int n) {
  char number[40];
  ls_text_puts(b, "kernel,device");
  for (int c = 0; c < LS_STAT_COLUMNS; c++) ls_text_printf(b, ",%s", ls_stat_columns[c].name);
  ls_text_puts(b, ",bound\n");
  for (int i = 0; i < n; i++) {
    ls_text_printf(b, "%s,%s", rows[i].name, rows[i].device ? rows[i].device->name : "");
    for (int c = 0; c < LS_STAT_COLUMNS; c++) {
      const f64 x = ls_stat_columns[c].value(&rows[i]);
      ls_text_printf(b, ",%s", isnan(x) ? "" : ls_exact(x, number));
    }
    ls_text_printf(b, ",%s\n", rows[i].bound);
  }
}

void ls_stats_json(ls_text *b, const ls_stat *rows, int n) {
  char number[40];
  for (int i = 0; i < n; i++) { /* names of rows and devices contain nothing to escape */
    ls_text_printf(b, "{\"kernel\":\"%s\"", rows[i].name);
    if (rows[i].device) ls_text_printf(b, ",\"device\":\"%s\"", rows[i].device->name);
    for (int c = 0; c < LS_STAT_COLUMNS; c++) {
      const f64 x = ls_stat_columns[c].value(&rows[i]);
      if (!isnan(x)) ls_text_printf(b, ",\"%s\":%s", ls_stat_columns[c].name, ls_exact(x, number));
    }
    if (*rows[i].bound) ls_text_printf(b, ",\"bound\":\"%s\"", rows[i].bound);
    ls_text_puts(b, "}\n");
  }
}
