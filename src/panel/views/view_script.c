/* The script view: the source of the algorithm with the current line, breakpoints, and the cost of each
 * line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/words.h"
#include "core/wrap_text.h"
#include "lua/keywords.h"
#include "session/session.h"
#include "panel/views/view_data.h"
#include "panel/views/script.h"
#include "panel/views/script_text.h"
#include "panel/views/view.h"

/* --- after a free run: the file with the most time in it, and its hottest line ------------------------ */

enum { FILES = 16, NEWEST = 8192 }; /* files that are distinguished; records that are read */

typedef struct file_cost {
  char name[LS_WHERE];
  f64 seconds;
} file_cost;

/* Adds a record's time to that of its file. */
static void add_cost(file_cost *files, const ls_record *r) {
  const int n = (int)strcspn(r->where, ":");
  int i = 0;
  while (i < FILES && *files[i].name &&
         (strncmp(files[i].name, r->where, (size_t)n) != 0 || files[i].name[n]))
    i++;
  if (i == FILES || n == 0) return;
  snprintf(files[i].name, sizeof files[i].name, "%.*s", n, r->where);
  if (r->end > r->begin) files[i].seconds += r->end - r->begin;
}

/* The chunk name of the file in which the last run spent the most time; "" if unknown. */
static const char *hottest_file(void) {
  file_cost files[FILES] = {0}, *most = &files[0];
  const u64 run = ls_session_first(), last = ls_trace_last();
  u64 i = ls_trace_first();
  if (last > NEWEST && i < last - NEWEST) i = last - NEWEST;
  for (; i && i <= last; i++) {
    const ls_record *r = ls_trace_get(i);
    if (r && r->seq >= run) add_cost(files, r);
  }
  for (int k = 1; k < FILES; k++)
    if (files[k].seconds > most->seconds) most = &files[k];
  return *most->name ? ls_session_source_of(most->name) : "";
}

static int hottest_line(const script_text *s) {
  char where[LS_WHERE + 16];
  int hottest = 0;
  f64 most = 0;
  for (int line = 1; line <= s->lines; line++) {
    snprintf(where, sizeof where, "%.40s:%d", s->name, line);
    const ls_line_stat *p = ls_trace_line(where);
    if (p && p->cost.busy > most) most = p->cost.busy, hottest = line;
  }
  return hottest;
}

static u64 taken; /* ls_trace_last() when a run was last shown */

void ls_script_forget(void) {
  taken = ls_trace_last();
  script_text_forget();
}

/* If nothing is stopped and there is a new run, selects the text of its hottest file, and returns
 * true. */
static bool take_run(void) {
  if (ls_view_data_now()->running || ls_session_stop()) return false;
  const u64 last = ls_trace_last(); /* number of records so far */
  if (taken == last) return false;
  taken = last;
  const char *chunk = last ? hottest_file() : "";
  if (*chunk) script_text_show(chunk);
  return *chunk;
}

static bool run_taken; /* the view still has to scroll to the hottest line of the new run */

static void follow_run(const ls_view_draw *d) {
  if (take_run()) run_taken = true;
  if (!run_taken) return;
  run_taken = false;
  const script_text *s = script_text_present();
  const int line = s ? hottest_line(s) : 0;
  if (line && d->state->cursor < 0 && (line <= d->state->scroll || line > d->state->scroll + d->in.rows))
    d->state->scroll = line - 1 - d->in.rows / 3;
}

/* --- places in the text ------------------------------------------------------------------------------ */

/* The line number in `where`, such as "scc.lua:63", if s is the source that `where` names; else 0. */
static int line_in(const script_text *s, const char *where) {
  size_t n = strlen(s->name);
  if (strncmp(where, s->name, n) != 0 || where[n] != ':') return 0;
  return atoi(where + n + 1);
}

static int present_line(const script_text *s) {
  const ls_stop *stop = ls_session_stop();
  return stop ? line_in(s, stop->where) : 0;
}

/* The id of the breakpoint at a line; 0: none. */
static int breakpoint_at(const script_text *s, int line) {
  ls_breakpoint b;
  for (int i = 0; ls_session_breakpoint(i, &b); i++)
    if (strcmp(b.kind, "watch") != 0 && line_in(s, b.text) == line) return b.id;
  return 0;
}

/* --- drawing ----------------------------------------------------------------------------------------- */

/* The length in bytes and the style of the token at s. */
static int token(const char *s, int n, ls_style *style) {
  int i = 1;
  *style = LS_TEXT_STYLE;
  if (n >= 2 && s[0] == '-' && s[1] == '-') {
    *style = LS_COMMENT;
    return n;
  }
  if (*s == '"' || *s == '\'') {
    while (i < n && s[i] != *s) i += s[i] == '\\' && i + 1 < n ? 2 : 1;
    *style = LS_STRING;
    return i < n ? i + 1 : n;
  }
  if (isalpha((unsigned char)*s) || *s == '_') {
    while (i < n && ls_in_name(s[i])) i++;
    if (ls_is_keyword(s, (size_t)i)) *style = LS_KEYWORD;
    return i;
  }
  while (i < n && (unsigned char)s[i] >= 0x80) i++;
  return i;
}

/* Draws bytes [from, to) of a line at column `col`, in at most `width` columns, without those that are
 * scrolled off at the left. */
static void draw_source(const ls_view_draw *d, int row, int col, int width, const script_text *src, int line,
                        int from, int to) {
  int bytes;
  const char *s = script_text_line(src, line, &bytes);
  bool inside = script_text_inside(src, line);
  ls_rect in = ls_rect_columns(d->in, col, width);
  int at = -d->state->column;
  for (int i = 0; i < to && at < width;) {
    char piece[256];
    ls_style style = LS_COMMENT;
    int end = i + (inside ? bytes - i : token(s + i, bytes - i, &style));
    if (end > to) end = to;
    if (i < from) i = end < from ? end : from; /* read only for its style */
    int n = end - i;
    if (n >= (int)sizeof piece) n = sizeof piece - 1;
    memcpy(piece, s + i, (size_t)n);
    piece[n] = '\0';
    if (n > 0) at = ls_draw_text(d->canvas, in, row, at, style, piece);
    i += n;
  }
}

static const ls_line_stat *cost_of_line(const script_text *src, int line) {
  char where[LS_WHERE + 16];
  snprintf(where, sizeof where, "%.40s:%d", src->name, line);
  return ls_trace_line(where);
}

enum { SHARE = 7, WITH_TIME = 14, WITH_CALLS = 20 }; /* columns of the cost */
enum { HANG = 4, MOST_ROWS = 4 };                    /* of a line that is broken into several rows */

/* Draws the cost of a line: its share of the time of all primitives; if there is space, also its time and
 * calls. */
static void draw_cost(const ls_view_draw *d, int row, int width, const ls_line_stat *p) {
  char calls[16], time[16], text[48];
  const f64 total = ls_trace_lines_total(), share = total > 0 ? p->cost.busy / total : 0;
  ls_short_time(p->cost.busy, time);
  ls_short_count((f64)p->cost.count, calls);
  if (width >= WITH_CALLS)
    snprintf(text, sizeof text, "%5s %7s %5.1f%%", calls, time, 100 * share);
  else if (width >= WITH_TIME)
    snprintf(text, sizeof text, "%7s %5.1f%%", time, 100 * share);
  else
    snprintf(text, sizeof text, "%5.1f%%", 100 * share);
  ls_draw_right(d->canvas, d->in, row, d->in.cols, share >= 0.1 ? LS_WARN : LS_DIM, text);
}

/* The layout of a source line. If text and cost do not fit next to each other, the cost gets fewer columns;
 * if that is not enough, the text is broken between words into rows. Only lines with a cost, and the current
 * line, are broken. */
typedef struct fit {
  int col, room; /* the column at which the text begins, and its width */
  int cost;      /* the width of the cost */
  int rows;
  int end[MOST_ROWS]; /* the end of each row, in bytes */
} fit;

static fit fit_line(const ls_view_draw *d, const script_text *src, int line, const ls_line_stat *p) {
  static const int widths[] = {WITH_CALLS, WITH_TIME, SHARE}, wanted[] = {64, 50, 30};
  int bytes, wide = 0;
  const char *s = script_text_line(src, line, &bytes);
  fit f = {.col = 2 + (src->lines > 999 ? 5 : 4), .rows = 1};
  for (int i = 0; i < bytes; i++)
    wide = s[i] == '\t' ? (wide + 8) / 8 * 8 : wide + (((unsigned char)s[i] & 0xc0) != 0x80);
  wide -= d->state->column;
  const int all = d->in.cols - f.col;
  for (int i = 0; p && i < 3; i++) {
    if (d->in.cols < wanted[i]) continue;
    f.cost = widths[i];
    if (wide <= all - f.cost) break;
  }
  f.room = all - f.cost;
  f.end[0] = bytes;
  if (wide <= f.room || d->state->column || (!p && line != present_line(src))) return f;
  for (int at = 0; f.rows < MOST_ROWS; f.rows++) {
    const int room = f.rows == 1 ? f.room : all - HANG; /* the cost is in the first row */
    at += (int)ls_wrap_text(s + at, (size_t)(bytes - at), room, NULL);
    f.end[f.rows - 1] = at;
    if (at >= bytes) return f;
    f.end[f.rows] = bytes;
  }
  return f;
}

static int rows_of(const ls_view_draw *d, const script_text *src, int line) {
  return fit_line(d, src, line, cost_of_line(src, line)).rows;
}

/* Draws a source line from row `row` on; returns how many rows it needs. */
static int draw_line(const ls_view_draw *d, int row, const script_text *src, int line) {
  const ls_line_stat *p = cost_of_line(src, line);
  const fit f = fit_line(d, src, line, p);
  bool here = line == present_line(src), cursor = d->focused && d->state->cursor == line - 1;
  bool nice = ls_canvas_braille(d->canvas);
  int bytes;
  const char *s = script_text_line(src, line, &bytes);
  ls_draw_char(d->canvas, d->in, row, 0, LS_CURRENT, here ? nice ? 0x25b6 : '>' : ' ');
  if (!here) ls_draw_style(d->canvas, d->in, row, 0, 1, LS_TEXT_STYLE);
  if (breakpoint_at(src, line)) ls_draw_char(d->canvas, d->in, row, 1, LS_BREAK, nice ? 0x25cf : 'B');
  char number[16];
  snprintf(number, sizeof number, "%d", line);
  ls_draw_right(d->canvas, d->in, row, f.col - 1, LS_DIM, number);
  for (int i = 0; i < f.rows && row + i < d->in.rows; i++) {
    int from = i ? f.end[i - 1] : 0;
    while (i && from < bytes && s[from] == ' ') from++;
    const int hang = i ? HANG : 0;
    draw_source(d, row + i, f.col + hang, d->in.cols - f.col - (i ? hang : f.cost), src, line, from,
                f.end[i]);
    if (here) ls_draw_style(d->canvas, d->in, row + i, 0, d->in.cols - (i ? 0 : f.cost), LS_CURRENT);
    if (cursor) ls_draw_style(d->canvas, d->in, row + i, here ? 2 : 0, d->in.cols, LS_CURSOR);
  }
  if (f.cost > 0) draw_cost(d, row, f.cost, p);
  char text[256];
  snprintf(text, sizeof text, "%.*s", bytes, s);
  if (!here && !cursor && ls_view_matches(d->state, text))
    ls_draw_style(d->canvas, d->in, row, 2, f.col - 3, LS_FOUND);
  return f.rows;
}

/* Scrolls so that line `here` is a third of the pane's height below its top. */
static void go_to(const ls_view_draw *d, const script_text *src, int here) {
  int above = here - 1;
  for (int left = d->in.rows / 3; above > 0 && (left -= rows_of(d, src, above)) >= 0;) above--;
  d->state->scroll = above;
}

/* The row of line `here` in the pane; -1: it is above, or far below. */
static int row_of(const ls_view_draw *d, const script_text *src, int here) {
  int row = 0;
  if (here <= d->state->scroll || here > d->state->scroll + d->in.rows) return -1;
  for (int line = d->state->scroll + 1; line < here; line++) row += rows_of(d, src, line);
  return row;
}

static void draw_hint(const ls_view_draw *d) {
  static const char *const lines[] = {"start f(x) stops before the first",
                                      "primitive, and its source is here:", "",
                                      "  start scc.forward_backward(g)"};
  for (int i = 0; i < 4; i++) ls_draw_cut(d->canvas, d->in, i, 1, d->in.cols - 1, LS_DIM, lines[i]);
}

static void draw(const ls_view_draw *d) {
  static int followed; /* the current line to which the view last scrolled */
  follow_run(d);
  const script_text *src = script_text_present();
  if (!src) {
    draw_hint(d);
    return;
  }
  if (src->lines == 0) {
    ls_draw_format(d->canvas, d->in, 0, 1, LS_DIM, "no source text of %s", src->name);
    return;
  }
  ls_view_state *st = d->state;
  int here = present_line(src), rows = d->in.rows;
  if (st->cursor < 0 && here > 0) {
    const int row = row_of(d, src, here), margin = rows > 6 ? 2 : 0, last = row + rows_of(d, src, here);
    if (row < 0 || last > rows || (here != followed && (row < margin || last > rows - margin)))
      go_to(d, src, here);
    followed = here;
  }
  ls_view_settle(d, src->lines, rows);
  if (st->cursor >= 0) /* lines of several rows may have pushed the cursor out of the pane */
    while (st->scroll < st->cursor && row_of(d, src, st->cursor + 1) >= rows) st->scroll++;
  for (int row = 0, line = st->scroll + 1; row < rows && line <= src->lines; line++)
    row += draw_line(d, row, src, line);
}

/* --- keys -------------------------------------------------------------------------------------------- */

/* The line that keys act on. */
static int chosen(const script_text *s, const ls_view_state *st) {
  int here = present_line(s);
  return st->cursor >= 0 ? st->cursor + 1 : here ? here : st->scroll + 1;
}

ls_status ls_script_toggle(ls_view_state *st) {
  const script_text *s = script_text_present();
  if (!s || s->lines == 0)
    return ls_fail(LS_EARG, "there is no line for a breakpoint: start an algorithm first, e.g. `start f(x)`");
  int line = chosen(s, st), id = breakpoint_at(s, line);
  if (id) return ls_session_delete(id);
  char spec[128];
  snprintf(spec, sizeof spec, "%s:%d", s->name, line);
  return ls_session_break(spec, false, &id);
}

static bool key(ls_view_state *st, int k) {
  const script_text *s = script_text_present();
  if (!s || s->lines == 0) return false;
  bool moves = k == LS_KEY_UP || k == LS_KEY_DOWN || k == LS_KEY_PAGE_UP || k == LS_KEY_PAGE_DOWN;
  if (moves && st->cursor < 0) st->cursor = chosen(s, st) - 1;
  if (k == '.') st->cursor = -1; /* back to the current line */
  if (k == 'n' && *st->search) {
    int from = chosen(s, st);
    for (int i = 0; i < s->lines; i++) {
      int line = 1 + (from + i) % s->lines, bytes;
      const char *text = script_text_line(s, line, &bytes);
      char copy[256];
      snprintf(copy, sizeof copy, "%.*s", bytes, text);
      if (!ls_view_matches(st, copy)) continue;
      st->cursor = line - 1;
      break;
    }
    return true;
  }
  return k == '.';
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  (void)st;
  const script_text *s = script_text_present();
  if (s)
    snprintf(out, bytes, "script: %s", s->name);
  else
    snprintf(out, bytes, "script");
}

static bool empty(void) {
  if (take_run()) run_taken = true;
  return script_text_present() == NULL;
}

const ls_view ls_view_script = {"script", "script", 1, 16, draw, key, "b or F9 breakpoint, . where it stands",
                                caption,  empty};
