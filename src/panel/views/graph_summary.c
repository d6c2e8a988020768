#include "panel/views/graph_summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "panel/views/graph_classes.h"
#include "session/session.h"

enum { LINES = 24 };

/* A bar chart: labelled amounts, one bar per line. */
typedef struct amounts {
  const char *title;
  f64 scale;     /* how many elements each counted one represents */
  bool estimate; /* only a sample was counted */
  struct {
    char label[24];
    f64 value;
  } line[LINES];
  int count;
} amounts;

static void add(amounts *a, f64 value, const char *fmt, u64 x, u64 y) {
  if (a->count == LINES) return;
  a->line[a->count].value = value;
  snprintf(a->line[a->count++].label, sizeof a->line[0].label, fmt, (unsigned long long)x,
           (unsigned long long)y);
}

static void draw_amounts(const ls_view_draw *d, ls_rect in, const amounts *a) {
  f64 most = 0;
  char text[16];
  for (int i = 0; i < a->count; i++)
    if (a->line[i].value > most) most = a->line[i].value;
  ls_draw_cut(d->canvas, in, 0, 0, in.cols, LS_TITLE, a->title);
  for (int i = 0; i < a->count && 1 + i < in.rows; i++) {
    ls_draw_cut(d->canvas, in, 1 + i, 0, 10, LS_TEXT_STYLE, a->line[i].label);
    if (most > 0 && in.cols > 18)
      ls_draw_bar(d->canvas, in, 1 + i, 11, in.cols - 18, a->line[i].value / most, LS_BAR);
    ls_draw_right(d->canvas, in, 1 + i, in.cols, LS_TEXT_STYLE,
                  ls_full_count(a->line[i].value * a->scale, a->estimate, text));
  }
}

/* `seen` of `count` elements were counted. */
static void set_scale(amounts *a, u64 count, u64 seen) {
  a->scale = seen ? (f64)count / (f64)seen : 1;
  a->estimate = seen < count;
}

/* --- degrees: by powers of two ----------------------------------------------------------------------- */

static void degrees(const ls_graph *g, amounts *a) {
  enum { WINDOWS = 8, WINDOW = LS_SAMPLE / WINDOWS, PART = 1 << 16 };
  static u32 off[PART + 1];
  u64 bins[34] = {0}, seen = 0;
  int last = 0;
  const bool all = g->n <= LS_SUMMED;
  for (u64 w = 0; all ? w * PART < g->n : w < WINDOWS; w++) {
    const u64 first = all ? w * PART : (g->n - WINDOW) * w / (WINDOWS - 1), most = all ? PART : WINDOW;
    const u64 count = g->n - first < most ? g->n - first : most;
    if (ls_buffer_peek(g->off, first, count + 1, off)) break;
    for (u64 i = 0; i < count; i++) {
      const u32 degree = off[i + 1] - off[i];
      const int bin = degree ? 32 - __builtin_clz(degree) : 0;
      bins[bin]++;
      if (bin > last) last = bin;
    }
    seen += count;
  }
  set_scale(a, g->n, seen);
  a->title = a->estimate ? "~out-degree" : "out-degree";
  for (int k = 0; k <= last; k++) {
    const u64 from = k ? 1ull << (k - 1) : 0, to = k ? (1ull << k) - 1 : 0;
    add(a, (f64)bins[k], from == to ? "%llu" : "%llu-%llu", from, to);
  }
}

/* --- the state of the vertices ----------------------------------------------------------------------- */

static void state_of(const ls_view_data *m, const ls_seen *s, amounts *a) {
  static u64 raw[LS_SUMMED], beside[LS_SUMMED];
  static ls_histogram h;
  static char title[80];
  const u64 seen = ls_seen_sample(s, raw);
  set_scale(a, s->count, seen);
  snprintf(title, sizeof title, "%s%s", a->estimate ? "~" : "", s->name);
  a->title = title;
  const ls_seen *mark = strcmp(s->field, "comp") == 0 && s->type == LS_U32 ? ls_graph_marks(m, s) : NULL;
  if (mark && mark->type == LS_U32 && mark->count == s->count && ls_seen_sample(mark, beside) == seen) {
    static const char *const names[] = {"o live", "> forward", "< backward", "x both", ". settled"};
    u64 of[5] = {0};
    for (u64 i = 0; i < seen; i++) {
      const u32 way = ((const u32 *)beside)[i];
      of[((const u32 *)raw)[i] != LS_NO_VERTEX ? 4 : way == LS_NO_VERTEX ? 0 : way & 3]++;
    }
    for (int k = 0; k < 5; k++) add(a, (f64)of[k], names[k], 0, 0);
    char live[16];
    snprintf(title, sizeof title, "%s: %s live", s->name,
             ls_full_count((f64)(seen - of[4]) * a->scale, a->estimate, live));
    return;
  }
  if (s->labels) {
    ls_label_counts of;
    ls_seen_count_labels((const u32 *)raw, seen, 7, &of);
    snprintf(title, sizeof title, "%s: %s%llu class%s", s->name, a->estimate ? ">=" : "",
             (unsigned long long)of.classes, of.classes == 1 ? "" : "es");
    for (int k = 0; k < of.listed; k++) add(a, (f64)of.of[k].count, "%llu", of.of[k].label, 0);
    if (of.rest) add(a, (f64)of.rest, "others", 0, 0);
    add(a, (f64)of.none, "none", 0, 0);
    return;
  }
  ls_reduce_histogram(s->type, raw, seen, 8, &h);
  for (u32 k = 0; k < h.bins; k++) {
    char label[LS_NUMBER_CHARS];
    if (h.lo.real)
      snprintf(label, sizeof label, "%.4g", h.lo.r + (f64)k * h.width.r);
    else
      ls_number_text(s->type, (ls_number){.i = h.lo.i + (ls_i128)k * h.width.i}, label);
    add(a, (f64)h.count[k], "", 0, 0);
    snprintf(a->line[a->count - 1].label, sizeof a->line[0].label, "%.20s", label);
  }
  add(a, (f64)h.unknown, "none", 0, 0);
}

/* --- layers: the counts of the primitive that last ran several times in a row, call by call ---------- */

static const char *layers(amounts *a, int room) {
  static char title[96];
  const u64 oldest = ls_trace_first(), first = ls_session_first();
  const ls_prim *prim = NULL;
  u64 end = 0, begin = 0;
  for (u64 i = ls_trace_last(); i >= oldest && i; i--) {
    const ls_record *r = ls_trace_get(i);
    if (!r || r->seq < first) break;
    if (r->prim == prim) {
      begin = i;
    } else if (prim && end - begin >= 1) {
      break;
    } else {
      bool counts = false;
      for (int k = 0; k < r->prim->nargs; k++) counts = counts || r->prim->args[k].role == LS_COUNT;
      prim = counts ? r->prim : NULL;
      begin = end = i;
    }
    if (end - begin > 4096) break;
  }
  if (!prim || end - begin < 1) return NULL;
  const char *count = "";
  for (int k = 0; k < prim->nargs && !*count; k++)
    if (prim->args[k].role == LS_COUNT) count = prim->args[k].name;
  snprintf(title, sizeof title, "%s.%s, %llu calls", prim->name, count,
           (unsigned long long)(end - begin + 1));
  u64 shown = (u64)(room < LINES ? room : LINES);
  if (end - begin + 1 > shown) begin = end - shown + 1; /* the newest */
  for (u64 i = begin; i <= end; i++) {
    const ls_record *r = ls_trace_get(i);
    if (r) add(a, (f64)r->counts[0], "#%llu", r->number, 0);
  }
  a->scale = 1;
  return a->title = title;
}

void ls_graph_summary(const ls_view_draw *d, ls_rect in, const ls_view_data *m, const ls_seen *colour) {
  amounts parts[3] = {{0}, {0}, {0}};
  int n = 0;
  char text[160];
  const ls_graph *g = m->graph;
  snprintf(text, sizeof text, "%s %s: %u %s, %llu edge%s, %.2f a vertex, weights %s", m->graph_name,
           g->name ? g->name : "", g->n, g->n == 1 ? "vertex" : "vertices", (unsigned long long)g->m,
           ls_plural(g->m), g->n ? (f64)g->m / g->n : 0,
           g->wtype == LS_NONE ? "none" : ls_dtype_name(g->wtype));
  ls_draw_cut(d->canvas, in, 0, 0, in.cols, LS_TEXT_STYLE, text);
  in = ls_rect_cut(in, in.rows >= 8 ? 2 : 1);
  if (colour) state_of(m, colour, &parts[n++]);
  degrees(g, &parts[n++]);
  if (layers(&parts[n], in.rows - 1)) n++;
  int across = in.cols / 30 < 1 ? 1 : in.cols / 30;
  if (across > n) across = n;
  const int width = in.cols / across;
  int below[3] = {0, 0, 0}; /* the next free row of each column */
  for (int i = 0; i < n; i++) {
    const int at = i % across;
    const ls_rect column = ls_rect_columns(in, at * width, width - (at + 1 < across ? 2 : 0));
    draw_amounts(d, ls_rect_cut(column, below[at]), &parts[i]);
    below[at] += parts[i].count + 2;
  }
}
