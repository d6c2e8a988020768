/* The table of views, and what they share. */
#include <strings.h>
#include <stdio.h>
#include <string.h>

#include "panel/view.h"

/* clang-format off */
const ls_view *const ls_views[] = {
    &ls_view_script,
    &ls_view_timing,
    &ls_view_convergence,
    &ls_view_roofline,
    &ls_view_buffers,
    &ls_view_inspector,
    &ls_view_graph,
    &ls_view_tiles,
    &ls_view_devices,
    &ls_view_log,
    &ls_view_lesson,
    &ls_view_help,
    NULL,
};
/* clang-format on */

const ls_view *ls_view_find(const char *name) {
  const ls_view *found = NULL;
  size_t len = strlen(name);
  int matches = 0;
  for (int i = 0; ls_views[i]; i++) {
    if (strncmp(ls_views[i]->name, name, len) != 0) continue;
    if (ls_views[i]->name[len] == '\0') return ls_views[i];
    found = ls_views[i];
    matches++;
  }
  return len > 0 && matches == 1 ? found : NULL;
}

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
