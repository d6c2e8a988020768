#include "panel/views/view.h"

#include <string.h>
#include <strings.h>

void ls_view_draw_into(const ls_view *v, const ls_view_draw *d) {
  d->state->lines = d->state->page = 0;
  ls_draw_blank(d->canvas, d->in);
  if (d->in.rows < v->min_rows || d->in.cols < v->min_cols) {
    if (d->in.rows > 0) ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM, "(too small)");
    return;
  }
  v->draw(d);
}

static int clamp(int i, int low, int high) {
  return i > high ? (high > low ? high : low) : i < low ? low : i;
}

void ls_view_settle(const ls_view_draw *d, int lines, int page) {
  ls_view_state *st = d->state;
  st->lines = lines;
  st->page = page > 0 ? page : 1;
  if (st->cursor >= 0) {
    st->cursor = clamp(st->cursor, 0, lines - 1);
    if (st->scroll > st->cursor) st->scroll = st->cursor;
    if (st->scroll <= st->cursor - st->page) st->scroll = st->cursor - st->page + 1;
  }
  st->scroll = clamp(st->scroll, 0, lines - st->page);
  if (st->column < 0) st->column = 0;
}

bool ls_view_matches(const ls_view_state *st, const char *text) {
  size_t len = strlen(st->search);
  if (len == 0) return false;
  for (; *text; text++)
    if (strncasecmp(text, st->search, len) == 0) return true;
  return false;
}
