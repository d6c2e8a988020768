#include "core/wrap_text.h"
#include "panel/canvas/canvas.h"

#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/escape.h"

/* --- the grid ---------------------------------------------------------------------------------------- */

ls_status ls_canvas_resize(ls_canvas *c, int rows, int cols) {
  if (rows < 0) rows = 0;
  if (cols < 0) cols = 0;
  if (rows != c->rows || cols != c->cols || !c->cells) {
    ls_cell *cells = ls_malloc((size_t)rows * (size_t)cols * sizeof *cells);
    if (!cells) return LS_EMEM;
    ls_free(c->cells);
    c->cells = cells;
    c->rows = rows;
    c->cols = cols;
  }
  ls_canvas_clear(c);
  return LS_OK;
}

void ls_canvas_free(ls_canvas *c) {
  ls_free(c->cells);
  c->cells = NULL;
  c->rows = c->cols = 0;
}

void ls_canvas_clear(ls_canvas *c) { ls_draw_blank(c, ls_canvas_all(c)); }

char *ls_canvas_text(const ls_canvas *c) {
  char *out = ls_malloc((size_t)c->rows * ((size_t)c->cols * 4 + 1) + 1), *end = out;
  if (!out) return NULL;
  for (int row = 0; row < c->rows; row++) {
    const ls_cell *cells = c->cells + (size_t)row * (size_t)c->cols;
    int last = c->cols;
    while (last > 0 && cells[last - 1].ch == ' ') last--;
    for (int col = 0; col < last; col++)
      if (cells[col].ch) end += ls_char_put(cells[col].ch, end);
    *end++ = '\n';
  }
  *end = '\0';
  return out;
}

bool ls_canvas_ascii(const ls_canvas *c) { return c->symbols == LS_ASCII || !c->utf8; }
bool ls_canvas_braille(const ls_canvas *c) { return c->symbols == LS_BRAILLE && c->utf8; }

ls_rect ls_canvas_all(const ls_canvas *c) { return (ls_rect){0, 0, c->rows, c->cols}; }

ls_cell *ls_canvas_at(const ls_canvas *c, int row, int col) {
  if (row < 0 || row >= c->rows || col < 0 || col >= c->cols) return NULL;
  return c->cells + (size_t)row * (size_t)c->cols + col;
}

/* The cell at a place of the rectangle; NULL outside of the rectangle or the canvas. */
static ls_cell *inside(const ls_canvas *c, ls_rect in, int row, int col) {
  if (row < 0 || row >= in.rows || col < 0 || col >= in.cols) return NULL;
  return ls_canvas_at(c, in.row + row, in.col + col);
}

ls_rect ls_rect_inside(ls_rect box) {
  return (ls_rect){box.row + 1, box.col + 1, box.rows > 2 ? box.rows - 2 : 0,
                   box.cols > 2 ? box.cols - 2 : 0};
}

ls_rect ls_rect_cut(ls_rect in, int rows_at_top) {
  if (rows_at_top > in.rows) rows_at_top = in.rows > 0 ? in.rows : 0;
  return (ls_rect){in.row + rows_at_top, in.col, in.rows - rows_at_top, in.cols};
}

ls_rect ls_rect_columns(ls_rect in, int col, int cols) {
  if (col < 0) cols += col, col = 0;
  if (col > in.cols) col = in.cols;
  if (cols > in.cols - col) cols = in.cols - col;
  return (ls_rect){in.row, in.col + col, in.rows, cols > 0 ? cols : 0};
}

/* --- characters -------------------------------------------------------------------------------------- */

typedef struct range {
  u32 first, last;
} range;

static bool is_in(u32 ch, const range *r, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (ch >= r[i].first && ch <= r[i].last) return true;
  return false;
}

int ls_char_width(u32 ch) {
  static const range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},    {0x610, 0x61c},
                               {0x64b, 0x65f},   {0x900, 0x902},   {0xe31, 0xe31},    {0xe34, 0xe3a},
                               {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},  {0x200b, 0x200f},
                               {0x202a, 0x202e}, {0x2060, 0x206f}, {0x20d0, 0x20ff},  {0xfe00, 0xfe0f},
                               {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
  static const range two[] = {
      {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x25fd, 0x25fe},
      {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26aa, 0x26ab},   {0x2705, 0x2705},   {0x270a, 0x270b},
      {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2b1b, 0x2b1c},
      {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
      {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
      {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};
  if (ch < 0x300) return 1;
  if (is_in(ch, none, sizeof none / sizeof *none)) return 0;
  return is_in(ch, two, sizeof two / sizeof *two) ? 2 : 1;
}

u32 ls_char_next(const char **s) {
  u32 ch = '?';
  if (!**s) return 0;
  const size_t bytes = ls_utf8_read(*s, SIZE_MAX, &ch);
  *s += bytes ? bytes : 1;
  return ch;
}

int ls_char_put(u32 ch, char out[4]) {
  if (ch < 0x80) {
    out[0] = (char)ch;
    return 1;
  }
  int more = ch < 0x800 ? 1 : ch < 0x10000 ? 2 : 3;
  static const u32 lead[] = {0, 0xc0, 0xe0, 0xf0};
  out[0] = (char)(lead[more] | ch >> (6 * more));
  for (int i = 1; i <= more; i++) out[i] = (char)(0x80 | (ch >> (6 * (more - i)) & 0x3f));
  return more + 1;
}

/* Iterates over the characters of a text, escaped by core/escape.h. */
typedef struct letters {
  const char *s, *at; /* at: the position in `one`; NULL before the first character */
  char one[LS_ESCAPED_CHAR];
} letters;

static u32 next_letter(letters *l) {
  if (!l->at || !*l->at) {
    if (!*l->s) return 0;
    if (*l->s == '\t') return (u32)*l->s++;
    l->s += ls_escaped_char(l->s, SIZE_MAX, 0, l->one);
    l->at = l->one;
  }
  return ls_char_next(&l->at);
}

int ls_text_width(const char *text) {
  int width = 0;
  letters l = {.s = text};
  for (u32 ch; (ch = next_letter(&l));) width += ls_char_width(ch);
  return width;
}

/* The character that the canvas shows for ch: itself or '?'. */
static u32 shown(const ls_canvas *c, u32 ch) {
  if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0) || (ch & 0xfffe) == 0xfffe) return '?';
  return ch < 0x80 || c->utf8 ? ch : '?';
}

/* Before a cell is overwritten: blanks the other half if the cell holds half of a wide character. */
static void unpair(const ls_canvas *c, int row, int col) {
  ls_cell *cell = ls_canvas_at(c, row, col), *left = ls_canvas_at(c, row, col - 1),
          *right = ls_canvas_at(c, row, col + 1);
  if (cell && (cell->flags & LS_CELL_REST) && left) left->ch = ' ';
  if (right && (right->flags & LS_CELL_REST)) *right = (ls_cell){' ', right->style, 0};
}

static void put_cell(ls_canvas *c, ls_rect in, int row, int col, ls_style style, u32 ch, u8 flags) {
  ls_cell *cell = inside(c, in, row, col);
  if (!cell) return;
  unpair(c, in.row + row, in.col + col);
  *cell = (ls_cell){ch, (u8)style, flags};
}

void ls_draw_char(ls_canvas *c, ls_rect in, int row, int col, ls_style style, u32 ch) {
  ch = shown(c, ch);
  int width = ls_char_width(ch);
  if (width == 2 && inside(c, in, row, col) && inside(c, in, row, col + 1)) {
    put_cell(c, in, row, col + 1, style, ' ', 0);
    put_cell(c, in, row, col, style, ch, 0);
    *inside(c, in, row, col + 1) = (ls_cell){0, (u8)style, LS_CELL_REST};
  } else if (width == 2) {
    put_cell(c, in, row, col, style, ' ', 0); /* the other half is outside */
    put_cell(c, in, row, col + 1, style, ' ', 0);
  } else if (width == 1) {
    put_cell(c, in, row, col, style, ch, 0);
  }
}

int ls_draw_text(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *text) {
  letters l = {.s = text};
  for (u32 ch; (ch = next_letter(&l));) {
    if (ch == '\t') {
      do ls_draw_char(c, in, row, col++, style, ' ');
      while (col % 8 != 0);
      continue;
    }
    ls_draw_char(c, in, row, col, style, ch);
    col += ls_char_width(shown(c, ch));
  }
  return col;
}

int ls_draw_format(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return ls_draw_text(c, in, row, col, style, text);
}

void ls_draw_right(ls_canvas *c, ls_rect in, int row, int end, ls_style style, const char *text) {
  ls_draw_text(c, in, row, end - ls_text_width(text), style, text);
}

int ls_draw_cut(ls_canvas *c, ls_rect in, int row, int col, int width, ls_style style, const char *text) {
  if (width <= 0) return col;
  bool cut = ls_text_width(text) > width;
  int end = col + width - cut;
  letters l = {.s = text};
  for (u32 ch; (ch = next_letter(&l));) {
    u32 sign = shown(c, ch == '\t' ? ' ' : ch);
    int columns = ls_char_width(sign);
    if (col + columns > end) break;
    ls_draw_char(c, in, row, col, style, sign);
    col += columns;
  }
  if (cut) ls_draw_char(c, in, row, col++, style, ls_canvas_ascii(c) ? '~' : 0x2026);
  return col;
}

int ls_draw_words(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *text) {
  int rows = 0;
  while (*text) {
    const size_t bytes = ls_wrap_text(text, strlen(text), in.cols - col, ls_char_width);
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)bytes, text);
    if (c) ls_draw_cut(c, in, row + rows, col, in.cols - col, style, line);
    rows++;
    text += bytes;
    text += strspn(text, " ");
  }
  return rows;
}

void ls_draw_style(ls_canvas *c, ls_rect in, int row, int col, int cols, ls_style style) {
  for (int i = 0; i < cols; i++) {
    ls_cell *cell = inside(c, in, row, col + i);
    if (cell) cell->style = (u8)style;
  }
}

void ls_draw_blank(ls_canvas *c, ls_rect in) {
  for (int row = 0; row < in.rows; row++)
    for (int col = 0; col < in.cols; col++) put_cell(c, in, row, col, LS_TEXT_STYLE, ' ', 0);
}

/* --- numbers in few columns -------------------------------------------------------------------------- */

/* Three digits and the unit. */
static char *three(f64 value, const char *unit, char out[16]) {
  f64 size = value < 0 ? -value : value;
  snprintf(out, 16, "%.*f%s", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value, unit);
  return out;
}

static char *scaled(f64 value, f64 step, const char *const *units, int count, char out[16]) {
  f64 size = value < 0 ? -value : value;
  int i = 0;
  if (!(size < 1e300)) {
    snprintf(out, 16, "%s", value != value ? "nan" : value > 0 ? "inf" : "-inf");
    return out;
  }
  while (i + 1 < count && size >= step * 0.9995) size /= step, value /= step, i++;
  if (size >= 1e6)
    snprintf(out, 16, "%.3g", value);
  else if (i == 0 && value == (f64)(i64)value)
    snprintf(out, 16, "%lld%s", (long long)value, units[0]);
  else
    three(value, units[i], out);
  return out;
}

char *ls_short_count(f64 value, char out[16]) {
  static const char *const units[] = {"", "k", "M", "G", "T", "P"};
  return scaled(value, 1000, units, 6, out);
}

char *ls_full_count(f64 value, bool estimate, char out[16]) {
  char text[16];
  if (estimate)
    snprintf(out, 16, "~%s", ls_short_count(round(value), text));
  else if (value >= 0 && value < 1e7)
    snprintf(out, 16, "%.0f", value);
  else
    ls_short_count(value, out);
  return out;
}

char *ls_short_bytes(f64 bytes, char out[16]) {
  static const char *const units[] = {"B", "K", "M", "G", "T", "P"};
  return scaled(bytes, 1024, units, 6, out);
}

char *ls_short_time(f64 seconds, char out[16]) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  if (seconds <= 0) {
    snprintf(out, 16, "0");
    return out;
  }
  return scaled(seconds * 1e9, 1000, units, 4, out);
}
