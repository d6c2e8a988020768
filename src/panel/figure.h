/* Figures: lines over labelled axes, for the convergence view, the roofline and `plot`. */
#ifndef LS_PANEL_FIGURE_H
#define LS_PANEL_FIGURE_H

#include "panel/canvas.h"

typedef struct ls_figure_line {
  char sign; /* the letter by which it is known without colour; 0: none */
  ls_style style;
  const ls_xy *points;
  int count;
  bool dots; /* points alone */
} ls_figure_line;

/* Axes around all points; widened where they would be empty. Logarithmic ones begin at the least value above
 * 0. */
ls_axes ls_figure_axes(const ls_figure_line *lines, int count, bool log_x, bool log_y);

/* Labels of 6 columns at the left, the ends of x below (where there are 4 rows or more), the lines with their
 * letters inside. Returns the inner rectangle. */
ls_rect ls_figure_draw(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *lines, int count,
                       const char *x_name);

/* One line with the ends of y at the left alone, in as little as a row. */
void ls_figure_strip(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_figure_line *line);

#endif
