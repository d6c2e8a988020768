/* The buffers view: each buffer of the algorithm, where its contents are, and which step last wrote it. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "session/session.h"
#include "panel/views/view_data.h"
#include "panel/views/table.h"

enum { C_MARK, C_NAME, C_SHAPE, C_BYTES, C_WHERE, C_STEP, C_PRIM, C_DOC, COLUMNS };

static const ls_column columns[COLUMNS] = {
    {"", 2, 0, false, 99, 0},
    {"buffer", 8, 0, false, 100, 0},
    {"type[shape]", 13, 16, false, 90, 0},
    {"MiB", 7, 0, true, 70, 0},
    {"where", 6, 0, false, 80, 0},
    {"step", 6, 0, true, 85, 0},
    {"by", 14, 0, false, 40, 0},
    {"what it holds", 20, 200, false, 30, 0},
};

/* The name of a step's primitive; "" if its record is no longer kept. */
static const char *prim_of(u64 seq) {
  const ls_record *r = ls_trace_get(ls_trace_from(seq));
  return r && r->seq == seq ? r->prim->name : "";
}

static void draw_row(const ls_table *t, int row, const ls_seen *s, u64 newest, bool chosen) {
  const ls_view_draw *d = t->d;
  char text[64];
  bool fresh = s->changed && s->changed == newest;
  ls_style style = s->closed ? LS_DIM : LS_TEXT_STYLE;
  if (chosen) ls_draw_style(d->canvas, d->in, row, 0, d->in.cols, LS_CURSOR);
  ls_table_cell(t, row, C_MARK, chosen ? LS_CURSOR : LS_CHANGED,
                chosen  ? (fresh ? ">*" : ">")
                : fresh ? " *"
                        : "");
  ls_table_cell(t, row, C_NAME,
                ls_view_matches(d->state, s->name) ? LS_FOUND
                : chosen                           ? LS_CURSOR
                                                   : LS_NUMBER,
                s->name);
  ls_seen_shape(s, text, sizeof text);
  ls_table_cell(t, row, C_SHAPE, style, text);
  f64 mib = (f64)s->count * (f64)ls_dtype_size(s->type) / 1048576;
  snprintf(text, sizeof text, mib < 9999.95 ? "%.2f" : "%.0f", mib);
  ls_table_cell(t, row, C_BYTES, style, text);
  ls_table_cell(t, row, C_WHERE, style, ls_seen_where(s));
  if (ls_trace_number(s->changed)) /* the step is of this run */
    snprintf(text, sizeof text, "#%llu", (unsigned long long)ls_trace_number(s->changed));
  else
    snprintf(text, sizeof text, "-");
  ls_table_cell(t, row, C_STEP, fresh ? LS_CHANGED : style, text);
  ls_table_cell(t, row, C_PRIM, style, prim_of(s->changed));
  ls_table_cell(t, row, C_DOC, LS_DIM, s->doc);
}

static void draw(const ls_view_draw *d) {
  const ls_view_data *m = ls_view_data_now();
  const ls_stop *stop = ls_session_stop();
  ls_table t;
  ls_column fitted[COLUMNS]; /* the name column fits the names, which do not change in a run */
  memcpy(fitted, columns, sizeof columns);
  for (int i = 0; i < m->nbuffers; i++) {
    int width = ls_text_width(m->buffers[i].name);
    if (width > fitted[C_NAME].width) fitted[C_NAME].width = width < 22 ? width : 22;
  }
  ls_table_begin(&t, d, fitted, COLUMNS);
  if (m->nbuffers == 0) {
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM,
                "no buffers yet: load a graph, or start an algorithm");
    return;
  }
  ls_table_head(&t, 0, 0, false);
  bool totals = d->in.rows > 4;
  ls_view_settle(d, m->nbuffers, d->in.rows - 1 - totals);
  u64 newest = stop && stop->recorded ? stop->record.seq : 0;
  f64 host = 0, device = 0;
  for (int i = 0; i < m->nbuffers; i++) {
    const ls_seen *s = &m->buffers[i];
    f64 bytes = (f64)s->count * (f64)ls_dtype_size(s->type);
    host += s->host && !s->closed ? bytes : 0;
    device += s->device && !s->closed ? bytes : 0;
    int row = i - d->state->scroll;
    if (row >= 0 && row < d->state->page)
      draw_row(&t, 1 + row, s, newest, d->focused && i == d->state->cursor);
  }
  if (!totals) return;
  int below = m->nbuffers < d->state->page ? m->nbuffers : d->state->page;
  char text[128];
  snprintf(text, sizeof text, "%d buffer%s: %.2f MiB on the host, %.2f MiB on devices", m->nbuffers,
           ls_plural((u64)m->nbuffers), host / 1048576, device / 1048576);
  ls_draw_cut(d->canvas, d->in, 1 + below, 2, d->in.cols - 2, LS_DIM, text);
}

static bool key(ls_view_state *st, int k) {
  const ls_view_data *m = ls_view_data_now();
  if ((k != '\n' && k != '\r') || st->cursor < 0 || st->cursor >= m->nbuffers) return false;
  ls_view_data_look(m->buffers[st->cursor].name);
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  (void)st;
  const ls_stop *stop = ls_session_stop();
  snprintf(out, bytes, stop ? "buffers: at the stop (* just written)" : "buffers: globals");
}

static bool empty(void) { return ls_view_data_now()->nbuffers == 0; }

const ls_view ls_view_buffers = {
    "buffers", "buffers", 2, 20, draw, key, "Enter looks into it with the inspector", caption, empty};
