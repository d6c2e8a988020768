/* Rules, boxes, bars, shades, dots and plots. */
#include <math.h>
#include <stdlib.h>

#include "panel/canvas/canvas.h"

/* --- rules and boxes --------------------------------------------------------------------------------- */

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

const u32 ls_joints[16] = {' ',    0x2575, 0x2577, 0x2502, 0x2574, 0x2518, 0x2510, 0x2524,
                           0x2576, 0x2514, 0x250c, 0x251c, 0x2500, 0x2534, 0x252c, 0x253c};

static void join(ls_canvas *c, ls_rect in, int row, int col, u8 directions, ls_style style) {
  if (row < 0 || row >= in.rows || col < 0 || col >= in.cols) return;
  ls_cell *cell = ls_canvas_at(c, in.row + row, in.col + col);
  if (!cell) return;
  u8 all = (cell->flags & LS_CELL_LINES) | directions;
  u32 ch = ls_joints[all];
  if (ls_canvas_ascii(c))
    ch = all == (UP | DOWN) || all == UP || all == DOWN ? '|' : (all & (UP | DOWN)) ? '+' : '-';
  ls_draw_char(c, in, row, col, style, ch);
  cell->flags = all;
}

void ls_draw_across(ls_canvas *c, ls_rect in, int row, int col, int cols, ls_style style) {
  for (int i = 0; i < cols; i++)
    join(c, in, row, col + i, (u8)((i > 0 ? LEFT : 0) | (i + 1 < cols ? RIGHT : 0)), style);
}

void ls_draw_down(ls_canvas *c, ls_rect in, int row, int col, int rows, ls_style style) {
  for (int i = 0; i < rows; i++)
    join(c, in, row + i, col, (u8)((i > 0 ? UP : 0) | (i + 1 < rows ? DOWN : 0)), style);
}

void ls_draw_box(ls_canvas *c, ls_rect box, ls_style style) {
  if (box.rows < 2 || box.cols < 2) return;
  ls_draw_across(c, box, 0, 0, box.cols, style);
  ls_draw_across(c, box, box.rows - 1, 0, box.cols, style);
  ls_draw_down(c, box, 0, 0, box.rows, style);
  ls_draw_down(c, box, 0, box.cols - 1, box.rows, style);
}

/* --- amounts ----------------------------------------------------------------------------------------- */

static f64 clamped(f64 share) { return share >= 1 ? 1 : share > 0 ? share : 0; }

void ls_draw_bar(ls_canvas *c, ls_rect in, int row, int col, int width, f64 share, ls_style style) {
  int parts = ls_canvas_ascii(c) ? 1 : ls_canvas_braille(c) ? 8 : 2;
  share = clamped(share);
  int filled = (int)(share * width * parts + 0.5);
  if (filled == 0 && share > 0 && width > 0) filled = 1;
  for (int i = 0; i < width && filled > 0; i++, filled -= parts) {
    int here = filled < parts ? filled : parts;
    u32 ch = parts == 1 ? '#' : 0x2590u - (u32)(here * 8 / parts);
    ls_draw_char(c, in, row, col + i, style, ch);
  }
}

void ls_draw_track(ls_canvas *c, ls_rect in, int row, int col, int width, f64 share, ls_style style) {
  for (int i = 0; i < width; i++) ls_draw_char(c, in, row, col + i, LS_DIM, '.');
  ls_draw_bar(c, in, row, col, width, share, style);
}

void ls_draw_heat(ls_canvas *c, ls_rect in, int row, int col, f64 share, ls_style style) {
  static const char plain[] = " .:-=+*#%@";
  static const u32 shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};
  share = clamped(share);
  int last = ls_canvas_ascii(c) ? 9 : 4, i = (int)(share * last + 0.5);
  if (i == 0 && share > 0) i = 1;
  ls_draw_char(c, in, row, col, style, ls_canvas_ascii(c) ? (u32)plain[i] : shades[i]);
}

/* --- dots -------------------------------------------------------------------------------------------- */

int ls_dots_across(const ls_canvas *c) { return ls_canvas_braille(c) ? 2 : 1; }
int ls_dots_down(const ls_canvas *c) { return ls_canvas_braille(c) ? 4 : 2; }

const u8 ls_braille_bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

/* Characters for two dots, one above the other: none, upper, lower, both. */
static const u32 halves[4] = {' ', 0x2580, 0x2584, 0x2588};
static const u32 marks[4] = {' ', '\'', '.', ':'};

void ls_draw_dot(ls_canvas *c, ls_rect in, int x, int y, ls_style style) {
  if (x < 0 || y < 0) return;
  int row = y / ls_dots_down(c), col = x / ls_dots_across(c);
  if (row >= in.rows || col >= in.cols) return;
  const ls_cell *cell = ls_canvas_at(c, in.row + row, in.col + col);
  if (!cell) return;
  if (ls_canvas_braille(c)) {
    u32 before = cell->ch >= 0x2800 && cell->ch <= 0x28ff ? cell->ch : 0x2800;
    ls_draw_char(c, in, row, col, style, before | ls_braille_bits[y % 4][x % 2]);
    return;
  }
  const u32 *signs = ls_canvas_ascii(c) ? marks : halves;
  int before = 0;
  for (int i = 1; i < 4; i++)
    if (cell->ch == signs[i]) before = i;
  ls_draw_char(c, in, row, col, style, signs[before | 1 << (y % 2)]);
}

void ls_draw_segment(ls_canvas *c, ls_rect in, int x0, int y0, int x1, int y1, ls_style style) {
  int dx = abs(x1 - x0), dy = abs(y1 - y0), steps = dx > dy ? dx : dy;
  if (steps > 1 << 16) return; /* an end far outside of any terminal */
  for (int i = 0; i <= steps; i++) {
    f64 part = steps ? (f64)i / steps : 0;
    ls_draw_dot(c, in, (int)lround(x0 + part * (x1 - x0)), (int)lround(y0 + part * (y1 - y0)), style);
  }
}

/* --- plots ------------------------------------------------------------------------------------------- */

static f64 place(f64 value, f64 low, f64 high, bool logarithmic) {
  if (logarithmic) {
    if (!(high > 0)) return 0;
    if (!(low > 0)) low = high / 1e12;
    value = value > low ? log(value) : log(low);
    low = log(low);
    high = log(high);
  }
  return high > low ? clamped((value - low) / (high - low)) : 0.5;
}

bool ls_axes_place(const ls_canvas *c, ls_rect in, const ls_axes *axes, ls_xy point, int *x, int *y) {
  if (isnan(point.x) || isnan(point.y) || in.rows <= 0 || in.cols <= 0) return false;
  int wide = in.cols * ls_dots_across(c), high = in.rows * ls_dots_down(c);
  *x = (int)lround(place(point.x, axes->x0, axes->x1, axes->log_x) * (wide - 1));
  *y = (int)lround((1 - place(point.y, axes->y0, axes->y1, axes->log_y)) * (high - 1));
  return true;
}

void ls_draw_line(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_xy *points, int count,
                  ls_style style) {
  bool begun = false;
  int last_x = 0, last_y = 0;
  for (int i = 0; i < count; i++) {
    int x, y;
    bool known = ls_axes_place(c, in, axes, points[i], &x, &y);
    if (known) ls_draw_segment(c, in, begun ? last_x : x, begun ? last_y : y, x, y, style);
    begun = known;
    if (known) last_x = x, last_y = y;
  }
}

void ls_draw_scatter(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_xy *points, int count,
                     ls_style style) {
  for (int i = 0; i < count; i++) {
    int x, y;
    if (ls_axes_place(c, in, axes, points[i], &x, &y)) ls_draw_dot(c, in, x, y, style);
  }
}
