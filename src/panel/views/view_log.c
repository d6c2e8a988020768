/* The log view: one line per stop, the newest last. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "panel/views/log.h"
#include "panel/views/view.h"

enum { STOPS = 2000 };

static char *lines[STOPS];
static u64 logged;

void ls_log_stop(const ls_stop *stop) {
  char line[640];
  ls_session_stop_line(stop, line, sizeof line);
  char *copy = ls_strdup(line);
  if (!copy) return; /* the line is lost */
  ls_free(lines[logged % STOPS]);
  lines[logged++ % STOPS] = copy;
}

static const char *line_at(int i) {
  u64 first = logged > STOPS ? logged - STOPS : 0;
  return lines[(first + (u64)i) % STOPS];
}

static int count(void) { return logged > STOPS ? STOPS : (int)logged; }

static void draw(const ls_view_draw *d) {
  ls_view_state *st = d->state;
  int n = count();
  if (n == 0) {
    ls_draw_text(d->canvas, d->in, 0, 1, LS_DIM, "no stop yet");
    return;
  }
  if (st->cursor < 0) st->scroll = n; /* the newest */
  ls_view_settle(d, n, d->in.rows);
  for (int i = 0; i < d->in.rows && st->scroll + i < n; i++) {
    const char *s = line_at(st->scroll + i);
    ls_style style = st->scroll + i + 1 == n ? LS_NUMBER : LS_TEXT_STYLE;
    if (ls_view_matches(st, s)) style = LS_FOUND;
    if (d->focused && st->cursor == st->scroll + i) style = LS_CURSOR;
    int skip = st->column;
    for (; skip > 0 && *s; skip--) ls_char_next(&s);
    ls_draw_cut(d->canvas, d->in, i, 0, d->in.cols, style, s);
  }
}

static bool key(ls_view_state *st, int k) {
  int n = count();
  if (k == '.') st->cursor = -1;
  if (n > 0 && st->cursor < 0 && (k == LS_KEY_UP || k == LS_KEY_PAGE_UP)) st->cursor = n - 1;
  if (k == LS_KEY_END || k == '.') {
    st->cursor = -1;
    return true;
  }
  if (k == 'n' && n > 0 && *st->search)
    for (int i = 1; i <= n; i++) {
      int at = ((st->cursor < 0 ? n : st->cursor) - i + n) % n; /* upwards */
      if (!ls_view_matches(st, line_at(at))) continue;
      st->cursor = at;
      break;
    }
  return k == 'n';
}

static bool empty(void) { return logged == 0; }

const ls_view ls_view_log = {"log", "log", 1, 12, draw, key, ". or End the newest", NULL, empty};
