/* The status line: script, graph, device, and the state of the run. If space is short, the least important
 * fields are left out. */
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

static void graph_text(char *out, size_t bytes) {
  char n[16], m[16];
  static char kept[80];
  if (!ls_session_running()) { /* while Lua runs, shows the last text */
    const ls_graph *g = ls_view_data_now()->graph;
    kept[0] = '\0';
    if (g)
      snprintf(kept, sizeof kept, "%.30s %s/%s", g->name ? g->name : "graph", ls_short_count((f64)g->n, n),
               ls_short_count((f64)g->m, m));
  }
  snprintf(out, bytes, "%s", kept);
}

static void device_text(char *out, size_t bytes) {
  const ls_device *d = ls_device_current();
  const char *model = d->model;
  if (strncmp(model, "NVIDIA ", 7) == 0) model += 7;
  if (d->processor == LS_CPU)
    snprintf(out, bytes, "%s %d thread%s", d->name, d->threads, ls_plural(d->threads));
  else
    snprintf(out, bytes, "%s %.20s", d->name, model);
}

static int gather(field *f, bool running) {
  static f64 began;
  const ls_stop *stop = ls_session_stop();
  int count = 0;
  char number[16];
  if (stop) {
    f[count] = (field){.style = LS_STATUS, .weight = 3};
    snprintf(f[count++].text, sizeof f->text, "%.*s", (int)strcspn(stop->where, ":"), stop->where);
  }
  f[count] = (field){.style = LS_STATUS, .weight = 1};
  graph_text(f[count++].text, sizeof f->text);
  f[count] = (field){.style = LS_STATUS, .weight = 2};
  device_text(f[count++].text, sizeof f->text);

  const ls_position past = ls_journal_position();
  f[count] = (field){.style = LS_STATUS, .weight = 9};
  if (past.in_past) {
    f[count].style = LS_FOUND;
    snprintf(f[count].text, sizeof f->text, " PAST #%llu of #%llu (back to #%llu) ",
             (unsigned long long)past.at, (unsigned long long)past.newest, (unsigned long long)past.first);
  } else if (running) {
    if (began == 0) began = ls_now();
    snprintf(f[count].text, sizeof f->text, "RUNNING %.1f s", ls_now() - began);
  } else {
    began = 0;
    snprintf(f[count].text, sizeof f->text, "%s%s%.40s",
             !stop                         ? "ready"
             : stop->kind == LS_STOP_ERROR ? " ERROR"
                                           : " PAUSED",
             stop && *stop->why ? " " : "", stop ? stop->why : "");
    if (stop) strcat(f[count].text, " ");
    if (stop) f[count].style = LS_CURRENT;
  }
  count++;
  u32 mark = stop ? stop->mark : ls_session_mark();
  if (mark) {
    f[count] = (field){.style = LS_STATUS, .weight = 6};
    snprintf(f[count++].text, sizeof f->text, "iter %u", mark);
  }
  const ls_record *newest = ls_trace_get(ls_trace_last());
  u64 step = stop && stop->recorded ? stop->record.number : newest ? newest->number : 0;
  if (step) {
    f[count] = (field){.style = LS_STATUS, .weight = 5};
    snprintf(f[count++].text, sizeof f->text, "#%llu", (unsigned long long)step);
  }
  if (stop && stop->recorded) {
    f[count] = (field){.style = LS_STATUS, .weight = 4};
    snprintf(f[count++].text, sizeof f->text, "%s",
             ls_short_time(stop->record.end - stop->record.begin, number));
  }
  if (past.on && !past.in_past && past.behind > 0) {
    f[count] = (field){.style = LS_STATUS, .weight = 0};
    snprintf(f[count++].text, sizeof f->text, "back to #%llu", (unsigned long long)past.first);
  }
  return count;
}

static int width_of(const field *f, int count) {
  int width = 1;
  for (int i = 0; i < count; i++)
    if (*f[i].text) width += ls_text_width(f[i].text) + 2;
  return width;
}

void ls_status_draw(ls_canvas *c, ls_rect in, bool running) {
  field f[FIELDS];
  int count = gather(f, running);
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
