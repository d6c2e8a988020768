#include "run/record/stats_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "run/devices/limits.h"
#include "run/launch/dispatch.h"
#include "run/record/load_balance.h"

/* Marks the old version of a kernel that was replaced while the program ran. */
static const char *age_of(const ls_stat *s) { return s->prim && s->prim->newer ? " (old)" : ""; }

/* Would a call's work at the limit take less time than a launch? Then its share of the limit means
 * nothing. */
static bool is_small(const ls_stat *s) {
  const f64 least = 0.5e-6;
  return s->device && s->limit >= 0 && s->limit < 0.5 && s->average * s->limit < least;
}

/* A number in at most six columns, with a unit prefix from a million on. */
static const char *six(f64 x, char out[16]) {
  static const char prefixes[] = "kMGTPE";
  if (x < 999999.5) {
    snprintf(out, 16, "%.*f", x < 0.0995 ? 3 : x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
    return out;
  }
  int p = 0;
  for (x /= 1000; x >= 999.5 && p < 5; p++) x /= 1000;
  snprintf(out, 16, "%.*f%c", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefixes[p]);
  return out;
}

static const char *count(u64 n, char out[16]) {
  if (n >= 1000000) return six((f64)n, out);
  snprintf(out, 16, "%llu", (unsigned long long)n);
  return out;
}

static const char *rate(f64 x, char out[16]) {
  if (isnan(x)) return "-";
  static const char prefixes[] = " kMGTP";
  int p = 0;
  for (; x >= 999.5 && p < 5; p++) x /= 1000;
  snprintf(out, 16, "%.*f%c", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefixes[p]);
  return out;
}

static const char *gigabytes(f64 x, char out[16]) { return isnan(x) ? "-" : six(x * 1e-9, out); }

enum { NAME = 15, REST = 65 }; /* least width of a name; width of all other columns */

/* The width of names: that of the longest, if there is room for it. */
static int names_width(const ls_stat *rows, int n) {
  int most = NAME;
  for (int i = 0; i < n; i++) {
    const int len = (int)(strlen(rows[i].name) + strlen(age_of(&rows[i])));
    if (len > most) most = len;
  }
  const int room = ls_output_columns() - REST;
  return ls_output_columns() == 0 || room >= most ? most : room > NAME ? room : NAME;
}

/* Adds the name in `width` columns, truncated if necessary. */
static void add_name(ls_text *b, const char *name, const char *age, int width) {
  const int len = (int)strlen(name), room = width - (int)strlen(age);
  ls_text_add(b, name, (size_t)(len > room ? room - 1 : len));
  if (len > room) ls_text_putc(b, '~');
  ls_text_puts(b, age);
  for (int at = len; at < room; at++) ls_text_putc(b, ' ');
}

/* Does the row lack the costs from which a limit could be computed? */
static bool has_no_model(const ls_prim *p) {
  return p && !*p->bytes && !*p->gathers && !p->operations && !ls_prim_exchanges(p);
}

#define BY_LIMIT " %6s %7s %7s %6s %6s %6s %5s %8s"
#define BY_TIME " %6s %7s %6s %6s %6s %6s %6s %5s %8s"

static void add_row(ls_text *b, const ls_stat *s, int width, const ls_stat_column *order) {
  char calls[16], total[16], times[4][16], of_bytes[16], of_edges[16], gain[16] = "-", limit[24] = "-";
  const f64 t[] = {s->average, s->median, s->min, s->max};
  for (int i = 0; i < 4; i++) six(t[i] * 1e6, times[i]);
  if (s->limit >= 0)
    snprintf(limit, sizeof limit, "%.0f%% %s", 100 * s->limit, s->bound);
  else if (s->limit_at_most >= 0 && s->limit_at_most < 0.985)
    snprintf(limit, sizeof limit, "<%.0f%% %s", ceil(100 * s->limit_at_most), s->bound);
  else if (has_no_model(s->prim))
    snprintf(limit, sizeof limit, "no model");
  if (!isnan(ls_stat_gain(s))) six(ls_stat_gain(s) * 1e3, gain);
  ls_text_putc(b, '\n');
  add_name(b, s->name, age_of(s), width);
  count(s->calls, calls);
  six(s->total * 1e3, total);
  const char *gb = gigabytes(ls_stat_byte_rate(s), of_bytes), *edges = rate(ls_stat_edge_rate(s), of_edges);
  if (ls_stats_by_limit(order))
    ls_text_printf(b, BY_LIMIT, calls, total, gain, times[0], times[1], gb, edges, limit);
  else
    ls_text_printf(b, BY_TIME, calls, total, times[0], times[1], times[2], times[3], gb, edges, limit);
}

static void add_head(ls_text *b, const char *device, int width, const ls_stat_column *order) {
  add_name(b, device, "", width);
  if (ls_stats_by_limit(order))
    ls_text_printf(b, BY_LIMIT, "calls", "tot ms", "gain ms", "avg us", "median", "GB/s", "edg/s", "limit");
  else
    ls_text_printf(b, BY_TIME, "calls", "tot ms", "avg us", "median", "min", "max", "GB/s", "edg/s", "limit");
}

/* Adds a note on kernels that have too little work for a meaningful share of the limit. */
static void add_small(ls_text *b, const ls_stat *rows, int n) {
  enum { NAMED = 3 };
  int small = 0, named = 0;
  for (int i = 0; i < n; i++) small += is_small(&rows[i]);
  if (!small) return;
  for (int i = 0; i < n && named < NAMED; i++) {
    if (!is_small(&rows[i])) continue;
    const char *before = named++ == 0 ? "\nsmall: " : named == small ? " and " : ", ";
    ls_text_printf(b, "%s%.60s", before, rows[i].name);
  }
  if (small > NAMED) ls_text_printf(b, " and %d more", small - NAMED);
  ls_text_puts(
      b,
      "; a call has work for less than 0.5 us at the limit, too little to judge by: measure on a larger graph");
}

/* Adds a note on a kernel that was faster than its limit of operations, which a cache cannot explain. */
static void add_too_low(ls_text *b, const ls_stat *s) {
  ls_text_printf(
      b,
      "\nlimit: %.60s was quicker than the limit of operations of %s: device.limits(\"%s\", true) measures it anew",
      s->name, s->device->name, s->device->name);
}

/* The time that a call's average work would take at the limit. */
static f64 at_limit(const ls_stat *s) { return s->average * s->limit; }

static bool is_far(const ls_stat *s) {
  return s->settled && s->limit >= 0 && !is_small(s) && at_limit(s) < 0.5 * s->median;
}

/* Adds a note on the kernel with most to gain: its time, and its time at the limit. The reason is not known.
 */
static void add_most_gain(ls_text *b, const ls_stat *s) {
  char work[16], took[16], gain[16], total[16];
  const bool ops = strcmp(s->bound, "ops") == 0;
  ls_text_printf(
      b,
      "\n%.60s has most to gain, %s of %s ms: a call takes %s us (median); what it %s would take only "
      "%s us at the limit (%s)",
      s->name, six(ls_stat_gain(s) * 1e3, gain), six(s->total * 1e3, total), six(s->median * 1e6, took),
      ops                             ? "computes"
      : strcmp(s->bound, "link") == 0 ? "gets"
                                      : "touches",
      six(at_limit(s) * 1e6, work),
      ops                             ? "ops: updates"
      : strcmp(s->bound, "link") == 0 ? "link: from other ranks"
      : strcmp(s->bound, "irr") == 0  ? "irr: memory at random"
                                      : "mem: memory in order");
}

void ls_stats_text(ls_text *b, const ls_stat *rows, int n, const ls_stat_column *order) {
  bool done[LS_STATS_MOST] = {false}, any = false, unknown = false;
  const ls_device *unmeasured = NULL;
  const ls_stat *too_low = NULL;
  const int width = names_width(rows, n);
  for (int i = 0; i < n; i++) {
    if (done[i] || !rows[i].device) continue;
    if (any) ls_text_putc(b, '\n');
    any = true;
    ls_limits l;
    const bool measured = ls_limits_known(rows[i].device, &l);
    add_head(b, rows[i].device->name, width, order);
    for (int k = i; k < n; k++)
      if (rows[k].device == rows[i].device) {
        add_row(b, &rows[k], width, order);
        done[k] = true;
        unknown = unknown || (measured && rows[k].limit < 0 && !rows[k].too_low && !rows[k].first);
        if (!too_low && rows[k].too_low) too_low = &rows[k];
      }
    if (!measured) unmeasured = rows[i].device;
  }
  if (n && !rows[n - 1].device) {
    if (!any) add_head(b, "", width, order);
    add_row(b, &rows[n - 1], width, order);
  }
  if (!n)
    ls_text_puts(b, ls_trace_enabled() ? "nothing has run yet"
                                       : "nothing was traced: trace.on() starts tracing");
  if (unmeasured)
    ls_text_printf(b, "\nlimit of %s: unknown until device.limits(\"%s\") has measured it", unmeasured->name,
                   unmeasured->name);
  if (unknown)
    ls_text_puts(
        b, "\nlimit: <5% means at most 5 %; - means unknown, as only a bound of what it touches is known;\n"
           "no model: what it touches is not counted");
  if (too_low) add_too_low(b, too_low);
  if (ls_stats_by_limit(order) && n && is_far(&rows[0])) add_most_gain(b, &rows[0]);
  add_small(b, rows, n);
  char tally[120];
  ls_compare_tally(tally, sizeof tally);
  if (*tally) ls_text_printf(b, "\ncompare: launches: %s", tally);
  if (ls_trace_lost())
    ls_text_printf(b, "\nmemory ran out; calls missing from these statistics: %llu",
                   (unsigned long long)ls_trace_lost());
  for (int i = 0; i < ls_load_balance_lines(); i++) {
    char line[160];
    ls_load_balance_line(i, line, sizeof line);
    ls_text_printf(b, "\n%s", line);
  }
}
