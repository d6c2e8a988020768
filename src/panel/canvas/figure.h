/* Figures: lines over labelled axes, for the convergence view, the roofline and `plot`. */
#ifndef LS_PANEL_FIGURE_H
#define LS_PANEL_FIGURE_H

#include "panel/canvas/canvas.h"

typedef struct ls_figure_line {
  char sign; /* the letter that identifies the line without colour; 0: none */
  ls_style style;
  const ls_xy *points;
  int count;
  bool dots; /* only the points, not connected */
} ls_figure_line;

/* Axes that contain all points; widened if they would be empty. A logarithmic axis begins at the smallest
 * value above 0. */
ls_axes ls_figure_axes(const ls_figure_line *lines, int count, bool log_x, bool log_y);

/* Draws labels of y in 6 columns at the left, the ends of x at the bottom (if there are 4 rows or more), and
 * the lines with their letters in the rectangle that remains; returns this rectangle. */
ls_rect ls_figure_draw(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *lines, int count,
                       const char *x_name);

/* Draws one line, with labels of y but none of x, in as little as one row. */
void ls_figure_strip(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *line);

#endif
