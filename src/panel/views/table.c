#include "panel/views/table.h"

static int wanted(const ls_column *columns, int count, const bool *out) {
  int sum = -1;
  for (int i = 0; i < count; i++)
    if (!out[i]) sum += columns[i].width + 1;
  return sum;
}

void ls_table_begin(ls_table *t, const ls_view_draw *d, const ls_column *columns, int count) {
  bool out[LS_TABLE_COLUMNS] = {false};
  *t = (ls_table){.d = d, .columns = columns, .count = count};
  int shown = count;
  while (shown > 1 && wanted(columns, count, out) > d->in.cols) {
    int least = -1;
    for (int i = 0; i < count; i++)
      if (!out[i] && (least < 0 || columns[i].importance < columns[least].importance)) least = i;
    out[least] = true;
    shown--;
  }
  int room = d->in.cols - wanted(columns, count, out), col = 0;
  for (int i = 0; i < count; i++) {
    t->at[i] = -1;
    if (out[i]) continue;
    int more = columns[i].most - columns[i].width;
    if (more > room) more = room;
    if (more < 0 && room >= 0) more = 0;
    t->width[i] = columns[i].width + (room < 0 || columns[i].most ? more : 0);
    if (t->width[i] > d->in.cols) t->width[i] = d->in.cols;
    if (more > 0) room -= more;
    t->at[i] = col;
    col += t->width[i] + 1;
  }
}

void ls_table_head(const ls_table *t, int row, int sorted, bool down) {
  ls_canvas *c = t->d->canvas;
  const bool plain = ls_canvas_ascii(c);
  ls_draw_style(c, t->d->in, row, 0, t->d->in.cols, LS_TITLE);
  for (int i = 0; i < t->count; i++) {
    if (t->at[i] < 0) continue;
    const ls_column *column = &t->columns[i];
    bool here = column->sort && column->sort == sorted;
    ls_style style = here ? LS_FOCUS : LS_TITLE;
    ls_table_cell(t, row, i, style, column->title);
    if (!here) continue;
    u32 sign = plain ? (down ? 'v' : '^') : (down ? 0x2193 : 0x2191);
    int text = ls_text_width(column->title), left = t->at[i] + t->width[i] - text - 1;
    ls_draw_char(c, t->d->in, row, column->right ? (left >= 0 ? left : 0) : t->at[i] + text, style, sign);
  }
}

void ls_table_cell(const ls_table *t, int row, int column, ls_style style, const char *text) {
  ls_canvas *c = t->d->canvas;
  const int at = t->at[column], width = t->width[column];
  if (at < 0) return;
  if (!t->columns[column].right)
    ls_draw_cut(c, t->d->in, row, at, width, style, text);
  else if (ls_text_width(text) <= width)
    ls_draw_right(c, t->d->in, row, at + width, style, text);
  else
    for (int i = 0; i < width; i++) ls_draw_char(c, t->d->in, row, at + i, style, '#');
}

void ls_table_limit(const ls_table *t, int row, int column, const ls_stat *s) {
  if (t->at[column] < 0) return;
  const bool plain = !s->settled || (s->limit < 0.5 && s->limit >= 0.1);
  ls_draw_track(t->d->canvas, t->d->in, row, t->at[column], t->width[column], s->limit,
                plain             ? LS_BAR
                : s->limit >= 0.5 ? LS_GOOD
                                  : LS_WARN);
}
