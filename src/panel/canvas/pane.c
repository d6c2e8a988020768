#include "panel/canvas/pane.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum { LINES = 4000, LONGEST = 4096 }; /* lines kept; cells of a line */

static ls_pane_line *line_at(const ls_pane *p, int i) { return &p->lines[(p->first + i) % LINES]; }
static ls_pane_line *last_line(const ls_pane *p) { return line_at(p, p->count - 1); }

static bool ensure_lines(ls_pane *p) {
  if (!p->lines) p->lines = ls_calloc(LINES, sizeof *p->lines);
  if (p->lines && p->count == 0) p->count = 1;
  return p->lines != NULL;
}

static void next_line(ls_pane *p) {
  if (p->count == LINES)
    p->first = (p->first + 1) % LINES;
  else
    p->count++;
  last_line(p)->len = 0;
  p->written++;
  p->col = 0;
}

static void put_char(ls_pane *p, u32 ch) {
  int width = ls_char_width(ch);
  if (width == 0) return;
  if (p->col + width > LONGEST) next_line(p); /* continues on a new line */
  ls_pane_line *line = last_line(p);
  if (p->col + width > line->room) {
    int room = line->room ? 2 * line->room : 80;
    if (room < p->col + width) room = p->col + width;
    ls_cell *cells = ls_realloc(line->cells, (size_t)room * sizeof *cells);
    if (!cells) return;
    line->cells = cells;
    line->room = room;
  }
  while (line->len < p->col) line->cells[line->len++] = (ls_cell){' ', LS_TEXT_STYLE, 0};
  line->cells[p->col++] = (ls_cell){ch, p->style, 0};
  if (width == 2) line->cells[p->col++] = (ls_cell){0, p->style, LS_CELL_REST};
  if (line->len < p->col) line->len = p->col;
}

/* The few colours that our own messages and common tools use. */
static void colour(ls_pane *p, const char *s) {
  if (*s == 'm') p->style = LS_TEXT_STYLE;
  while (*s >= '0' && *s <= '9') {
    char *end;
    long code = strtol(s, &end, 10);
    static const u8 styles[8] = {LS_DIM,     LS_BAD,     LS_GOOD,    LS_WARN,
                                 LS_KEYWORD, LS_SERIES4, LS_SERIES1, LS_TEXT_STYLE};
    if (code == 38 || code == 48) return; /* the numbers that follow describe a colour; they are not codes */
    if (code == 0 || code == 39) p->style = LS_TEXT_STYLE;
    if (code == 1) p->style = LS_TITLE;
    if (code == 2) p->style = LS_DIM;
    if (code == 7) p->style = LS_CURSOR;
    if (code >= 30 && code < 38) p->style = styles[code - 30];
    if (code >= 90 && code < 98) p->style = styles[code - 90];
    s = *end == ';' ? end + 1 : end;
  }
}

/* Interprets the escape sequence at s; returns its length, 0 while it is incomplete. */
static int sequence(ls_pane *p, const char *s, int n) {
  if (n < 2) return 0;
  if (s[1] == ']') { /* an operating system command such as a title; ends with BEL or ESC \ */
    for (int i = 2; i < n; i++)
      if (s[i] == '\a' || (s[i] == '\\' && s[i - 1] == 0x1b)) return i + 1;
    return 0;
  }
  if (s[1] != '[') return 2;
  for (int i = 2; i < n; i++) {
    if (s[i] < 0x40 || s[i] > 0x7e) continue;
    ls_pane_line *line = last_line(p);
    if (s[i] == 'm') colour(p, s + 2);
    if (s[i] == 'K' && line->len > p->col) line->len = p->col;
    if (s[i] == 'J' && s[2] == '2') ls_pane_clear(p), ensure_lines(p);
    return i + 1;
  }
  return 0;
}

static void plain(ls_pane *p, u32 ch) {
  switch (ch) {
  case '\n': next_line(p); break;
  case '\r': p->col = 0; break;
  case '\b': p->col -= p->col > 0; break;
  case '\t':
    do put_char(p, ' ');
    while (p->col % 8 != 0);
    break;
  default:
    if (ch >= 0x20 && !(ch >= 0x7f && ch < 0xa0)) put_char(p, ch);
  }
}

/* Interprets the sequence or character at the beginning of s; returns its length, 0 while it is
 * incomplete. */
static int take(ls_pane *p, const char *s, int n) {
  unsigned char c = (unsigned char)*s;
  if (c == 0x1b) return sequence(p, s, n);
  int bytes = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
  for (int i = 1; i < bytes && i < n; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80) bytes = 1;
  if (n < bytes) return 0;
  char text[5] = {0};
  memcpy(text, s, (size_t)bytes);
  const char *at = text;
  plain(p, c ? ls_char_next(&at) : '?');
  return bytes;
}

void ls_pane_write(ls_pane *p, const char *s, size_t n) {
  if (!ensure_lines(p)) return;
  while (n > 0) {
    if (p->partial_len == 0 && *s != 0x1b && (unsigned char)*s < 0x80) {
      plain(p, (u32)*s ? (u32)*s : '?');
      s++, n--;
      continue;
    }
    p->partial[p->partial_len++] = *s++;
    n--;
    int taken = take(p, p->partial, p->partial_len);
    if (taken == 0 && p->partial_len == (int)sizeof p->partial) taken = p->partial_len;
    p->partial_len -= taken;
    memmove(p->partial, p->partial + taken, (size_t)p->partial_len);
  }
}

void ls_pane_clear(ls_pane *p) {
  for (int i = 0; i < p->count; i++) line_at(p, i)->len = 0;
  if (p->count) p->written += (u64)p->count - 1;
  p->first = p->count = p->col = p->scroll = 0;
}

void ls_pane_free(ls_pane *p) {
  for (int i = 0; p->lines && i < LINES; i++) ls_free(p->lines[i].cells);
  ls_free(p->lines);
  *p = (ls_pane){0};
}

/* --- what is typed, as rows -------------------------------------------------------------------------- */

typedef struct walk {
  ls_canvas *c; /* NULL: only measures */
  ls_rect in;
  int top; /* the row of the content that is at the top of `in` */
  int row, col;
} walk;

static void walk_char(walk *w, u32 ch, ls_style style) {
  int width = ls_char_width(ch);
  if (w->col + width > w->in.cols && w->col > 0) w->row++, w->col = 0;
  if (w->c) ls_draw_char(w->c, w->in, w->row - w->top, w->col, style, ch);
  w->col += width;
}

/* Draws or measures the prompt and the typed text. *row and *col become the position of the cursor; w->row
 * and w->col become the end of the text. */
static void walk_typing(walk *w, const ls_typing *t, int *row, int *col) {
  const char *s = t->prompt;
  bool hidden = false; /* between Readline's marks \001 and \002: invisible, such as a colour */
  for (u32 ch; (ch = ls_char_next(&s));) {
    if (ch == '\001' || ch == '\002')
      hidden = ch == '\001';
    else if (!hidden)
      walk_char(w, ch, LS_DIM);
  }
  s = t->text;
  for (;;) {
    if (w->col >= w->in.cols) w->row++, w->col = 0;
    if (s - t->text == t->point) *row = w->row, *col = w->col;
    u32 ch = ls_char_next(&s);
    if (!ch) return;
    if (ch == '\n') {
      w->row++, w->col = 0;
    } else if (ch == '\t') {
      do walk_char(w, ' ', LS_TEXT_STYLE);
      while (w->col % 8 != 0 && w->col < w->in.cols);
    } else if (ch < 0x20 || ch == 0x7f) {
      walk_char(w, '^', LS_DIM);
      walk_char(w, ch ^ 0x40, LS_DIM);
    } else {
      walk_char(w, ch, LS_TEXT_STYLE);
    }
  }
}

/* --- drawing ----------------------------------------------------------------------------------------- */

static int rows_of(const ls_pane_line *line, int cols) {
  return line->len > cols ? (line->len + cols - 1) / cols : 1;
}

/* The number of lines shown: an unfinished last line is shown above the prompt only if it is not empty. */
static int shown_lines(const ls_pane *p) {
  return p->count && last_line(p)->len == 0 ? p->count - 1 : p->count;
}

static void draw_line(const ls_pane_line *line, ls_canvas *c, ls_rect in, int row) {
  for (int i = 0; i < line->len; i++) {
    const ls_cell *cell = &line->cells[i];
    if (!(cell->flags & LS_CELL_REST))
      ls_draw_char(c, in, row + i / in.cols, i % in.cols, cell->style, cell->ch);
  }
}

void ls_pane_draw(ls_pane *p, ls_canvas *c, ls_rect in, const ls_typing *typing, int *row, int *col) {
  *row = -1;
  *col = 0;
  ls_draw_blank(c, in);
  if (in.rows <= 0 || in.cols <= 0) return;
  int typed = 0, cursor_row = 0, cursor_col = 0, lines = shown_lines(p);
  if (typing->text) {
    walk w = {.in = in};
    walk_typing(&w, typing, &cursor_row, &cursor_col);
    typed = w.row + 1;
  }
  /* Rows of content are counted upwards from the end; the last `hidden` ones are below the pane. */
  int needed = in.rows + p->scroll + LINES, total = typed;
  for (int i = lines; i-- > 0 && total < needed;) total += rows_of(line_at(p, i), in.cols);
  int most = total > in.rows ? total - in.rows : 0;
  if (p->scroll > most) p->scroll = most;
  int hidden = p->scroll;
  if (hidden == 0 && typed > in.rows && cursor_row < typed - in.rows) hidden = typed - in.rows - cursor_row;
  int end = total > in.rows ? in.rows + hidden : total; /* the row of `in` after the end of the content */
  if (typing->text) {
    walk w = {c, in, typed - end, 0, 0};
    walk_typing(&w, typing, &cursor_row, &cursor_col);
    *row = cursor_row - w.top;
    *col = cursor_col < in.cols ? cursor_col : in.cols - 1;
    if (*row < 0 || *row >= in.rows) *row = -1;
  }
  int at = end - typed;
  const u64 oldest = p->written + 1 - (u64)p->count;
  p->above = false;
  for (int i = lines; i-- > 0 && at > 0;) {
    at -= rows_of(line_at(p, i), in.cols);
    if (at < in.rows) draw_line(line_at(p, i), c, in, at);
    p->above = at <= 0 && oldest + (u64)i > p->asked;
  }
}

void ls_pane_replay(const ls_pane *p, u64 from, void (*out)(const char *s, size_t n)) {
  u64 oldest = p->written + 1 - (u64)p->count;
  int lines = shown_lines(p);
  for (int i = from > oldest ? (int)(from - oldest) : 0; i < lines; i++) {
    const ls_pane_line *line = line_at(p, i);
    for (int k = 0; k < line->len; k++) {
      char text[4];
      if (line->cells[k].ch) out(text, (size_t)ls_char_put(line->cells[k].ch, text));
    }
    out("\n", 1);
  }
}
