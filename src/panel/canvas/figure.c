#include "panel/canvas/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void widen(f64 *low, f64 *high, bool log_scale) {
  if (!(*low <= *high)) *low = log_scale ? 1 : 0, *high = log_scale ? 10 : 1;
  if (log_scale) {
    if (*high / *low < 10) *high = *low * 10;
  } else if (*high - *low <= 1e-9 * fabs(*high)) {
    *high = *low + (*low != 0 ? fabs(*low) : 1);
  }
}

ls_axes ls_figure_axes(const ls_figure_line *lines, int count, bool log_x, bool log_y) {
  ls_axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY, log_x, log_y};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < lines[i].count; k++) {
      const ls_xy p = lines[i].points[k];
      if (!isfinite(p.x) || !isfinite(p.y)) continue;
      if (!log_x || p.x > 0) a.x0 = fmin(a.x0, p.x), a.x1 = fmax(a.x1, p.x);
      if (!log_y || p.y > 0) a.y0 = fmin(a.y0, p.y), a.y1 = fmax(a.y1, p.y);
    }
  if (!log_y && a.y0 > 0 && a.y0 < 0.5 * a.y1) a.y0 = 0; /* show amounts relative to 0 */
  widen(&a.x0, &a.x1, log_x);
  widen(&a.y0, &a.y1, log_y);
  return a;
}

/* A label of at most 5 characters, also for small fractions. */
static char *label(f64 x, char out[16]) {
  const f64 size = fabs(x);
  if (!(size > 0 && size < 0.0995)) return ls_short_count(x, out);
  snprintf(out, 16, size >= 0.00095 && x > 0 ? "%.3f" : "%.0e", x);
  return out;
}

static f64 between(f64 low, f64 high, f64 part, bool log_scale) {
  return log_scale ? low * pow(high / low, part) : low + (high - low) * part;
}

/* Draws the letter of a line at its last point whose cell has no letter yet; tries 64 points. */
static void sign(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *line) {
  for (int k = line->count - 1, tries = 0; k >= 0 && tries < 64; k--, tries++) {
    int x, y;
    if (!ls_axes_place(c, in, axes, line->points[k], &x, &y)) continue;
    int row = y / ls_dots_down(c), col = x / ls_dots_across(c);
    const ls_cell *cell = ls_canvas_at(c, in.row + row, in.col + col);
    if (!cell || (cell->ch >= 'A' && cell->ch <= 'z')) continue;
    ls_draw_char(c, in, row, col, line->style, (u32)line->sign);
    return;
  }
}

enum { LABEL = 6 };

/* Draws ticks at the powers of ten between the ends of a logarithmic y axis; labels only those that are at
 * least two rows from the next label. */
static void draw_decades(ls_canvas *c, ls_rect in, int rows, const ls_axes *axes) {
  char text[16];
  const bool plain = ls_canvas_ascii(c);
  const f64 decades = log10(axes->y1 / axes->y0);
  int above = rows - 1; /* the row of the last label, which is below all labels still to be drawn */
  for (f64 x = pow(10, floor(log10(axes->y0)) + 1); x < axes->y1; x *= 10) {
    const int row = (int)lround((rows - 1) * (1 - log10(x / axes->y0) / decades));
    if (row <= 0 || row >= rows - 1) continue;
    ls_draw_char(c, in, row, LABEL - 1, LS_DIM, plain ? '+' : 0x2524);
    if (row < 2 || row > above - 2) continue; /* only the tick */
    label(x, text);
    char *zeros = strstr(text, ".0"); /* 1k instead of 1.00k */
    if (zeros && x >= 1)
      memmove(zeros, zeros + 1 + strspn(zeros + 1, "0"), strlen(zeros + 1 + strspn(zeros + 1, "0")) + 1);
    ls_draw_right(c, in, row, LABEL - 1, LS_DIM, text);
    above = row;
  }
}

/* Draws the labels of y and the rule to their right. */
static void draw_left(ls_canvas *c, ls_rect in, int rows, const ls_axes *axes) {
  char text[16];
  const bool decades = axes->log_y && axes->y1 > 10.5 * axes->y0;
  const int labels = rows >= 9 && !decades ? 3 : rows >= 2 ? 2 : 1;
  for (int i = 0; i < labels; i++) {
    const int row = labels == 1 ? 0 : (rows - 1) * i / (labels - 1);
    const f64 part = rows > 1 ? 1 - (f64)row / (rows - 1) : 1;
    ls_draw_right(c, in, row, LABEL - 1, LS_DIM, label(between(axes->y0, axes->y1, part, axes->log_y), text));
  }
  const bool plain = ls_canvas_ascii(c);
  for (int row = 0; row < rows; row++) ls_draw_char(c, in, row, LABEL - 1, LS_DIM, plain ? '|' : 0x2502);
  if (decades) draw_decades(c, in, rows, axes);
}

static void draw_lines(ls_canvas *c, ls_rect inner, const ls_axes *axes, const ls_figure_line *lines,
                       int count) {
  for (int i = 0; i < count; i++) {
    if (lines[i].dots || lines[i].count == 1)
      ls_draw_scatter(c, inner, axes, lines[i].points, lines[i].count, lines[i].style);
    else
      ls_draw_line(c, inner, axes, lines[i].points, lines[i].count, lines[i].style);
  }
}

ls_rect ls_figure_draw(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *lines, int count,
                       const char *x_name) {
  char text[16];
  const bool below = in.rows >= 4;
  ls_rect inner = ls_rect_columns(in, LABEL, in.cols - LABEL);
  inner.rows -= below;
  if (inner.rows <= 0 || inner.cols <= 0) return inner;
  draw_left(c, in, inner.rows, axes);
  if (below) {
    ls_draw_text(c, in, inner.rows, LABEL, LS_DIM, label(axes->x0, text));
    int left = LABEL + ls_text_width(text);
    ls_draw_right(c, in, inner.rows, in.cols, LS_DIM, label(axes->x1, text));
    int right = in.cols - ls_text_width(text), middle = LABEL + (inner.cols - ls_text_width(x_name)) / 2;
    if (middle > left && middle + ls_text_width(x_name) < right)
      ls_draw_text(c, in, inner.rows, middle, LS_DIM, x_name);
  }
  draw_lines(c, inner, axes, lines, count);
  for (int i = 0; i < count; i++)
    if (lines[i].sign) sign(c, inner, axes, &lines[i]);
  return inner;
}

void ls_figure_strip(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *line) {
  const ls_rect inner = ls_rect_columns(in, LABEL, in.cols - LABEL);
  draw_left(c, in, in.rows, axes);
  draw_lines(c, inner, axes, line, 1);
}
