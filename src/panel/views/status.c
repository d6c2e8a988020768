/* The status line: script, graph, device, and the state of the run. If space is short, the least important
 * fields are left out. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "core/wait.h"
#include "session/session.h"
#include "panel/canvas/frame.h"
#include "panel/views/view_data.h"
#include "run/devices/device.h"
#include "run/record/journal.h"

enum { FIELDS = 9 };

typedef struct field {
  char text[80];
  ls_style style;
  int weight; /* the field with the smallest weight is left out first; one of weight 9 stays */
} field;

typedef struct fields {
  field of[FIELDS];
  int count;
} fields;

__attribute__((format(printf, 4, 5))) static void add(fields *f, int weight, ls_style style, const char *fmt,
                                                      ...) {
  field *to = &f->of[f->count++];
  *to = (field){.style = style, .weight = weight};
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(to->text, sizeof to->text, fmt, ap);
  va_end(ap);
}

static const char *graph_text(void) {
  char n[16], m[16];
  static char kept[80];
  const ls_graph *g = ls_session_running() ? NULL : ls_view_data_now()->graph;
  if (!ls_session_running()) kept[0] = '\0'; /* while Lua runs, shows the last text */
  if (g)
    snprintf(kept, sizeof kept, "%.30s %s/%s", g->name ? g->name : "graph", ls_short_count((f64)g->n, n),
             ls_short_count((f64)g->m, m));
  return kept;
}

static void add_device(fields *f) {
  const ls_device *d = ls_device_current();
  const char *model = d->model;
  if (strncmp(model, "NVIDIA ", 7) == 0) model += 7;
  if (d->processor == LS_CPU)
    add(f, 2, LS_STATUS, "%s %d thread%s", d->name, d->threads, ls_plural(d->threads));
  else
    add(f, 2, LS_STATUS, "%s %.20s", d->name, model);
}

static void gather(fields *f, bool running) {
  static f64 began;
  const ls_stop *stop = ls_session_stop();
  char number[16];
  if (stop) add(f, 3, LS_STATUS, "%.*s", (int)strcspn(stop->where, ":"), stop->where);
  add(f, 1, LS_STATUS, "%s", graph_text());
  add_device(f);
  const ls_position past = ls_journal_position();
  began = !running ? 0 : began == 0 ? ls_now() : began;
  if (past.in_past)
    add(f, 9, LS_FOUND, " PAST #%llu of #%llu (back to #%llu) ", (unsigned long long)past.at,
        (unsigned long long)past.newest, (unsigned long long)past.first);
  else if (running)
    add(f, 9, LS_STATUS, "RUNNING %.1f s", ls_now() - began);
  else if (stop)
    add(f, 9, LS_CURRENT, " %s%s%.40s ", stop->kind == LS_STOP_ERROR ? "ERROR" : "PAUSED",
        *stop->why ? " " : "", stop->why);
  else
    add(f, 9, LS_STATUS, "ready");
  const u32 mark = stop ? stop->mark : ls_session_mark();
  if (mark) add(f, 6, LS_STATUS, "iter %u", mark);
  const ls_record *newest = ls_trace_get(ls_trace_last());
  const u64 step = stop && stop->recorded ? stop->record.number : newest ? newest->number : 0;
  if (step) add(f, 5, LS_STATUS, "#%llu", (unsigned long long)step);
  if (stop && stop->recorded)
    add(f, 4, LS_STATUS, "%s", ls_short_time(stop->record.end - stop->record.begin, number));
  if (past.on && !past.in_past && past.behind > 0)
    add(f, 0, LS_STATUS, "back to #%llu", (unsigned long long)past.first);
}

static int width_of(const field *f, int count) {
  int width = 1;
  for (int i = 0; i < count; i++)
    if (*f[i].text) width += ls_text_width(f[i].text) + 2;
  return width;
}

void ls_status_draw(ls_canvas *c, ls_rect in, bool running) {
  fields all = {.count = 0};
  gather(&all, running);
  field *f = all.of;
  const int count = all.count;
  while (width_of(f, count) > in.cols + 1) {
    int least = -1;
    for (int i = 0; i < count; i++)
      if (*f[i].text && (least < 0 || f[i].weight < f[least].weight)) least = i;
    if (least < 0 || f[least].weight == 9) break;
    f[least].text[0] = '\0';
  }
  ls_draw_style(c, in, 0, 0, in.cols, LS_STATUS);
  int col = 1;
  for (int i = 0; i < count; i++)
    if (*f[i].text) col = ls_draw_cut(c, in, 0, col, in.cols - col, f[i].style, f[i].text) + 2;
}
