/* plot{...} in Lua: makes lines from lists, buffers and tables of records. ls_plot_hook registers the
 * function that draws them. */
#ifndef LS_LUA_L_PLOT_H
#define LS_LUA_L_PLOT_H

#include "lua/bind.h"

enum { LS_PLOT_LINES = 16 };

typedef struct ls_plot_line {
  const char *name;
  const f64 *x, *y;
  u64 count;
} ls_plot_line;

typedef struct ls_plot {
  const char *title, *x_name, *y_name; /* "" if not given */
  const char *file;                    /* .svg, .png or .pdf; NULL: into the terminal */
  bool log_x, log_y, points;           /* points: not joined by lines */
  int width, height;                   /* columns and rows of the terminal, or pixels; 0: default */
  int count;
  ls_plot_line lines[LS_PLOT_LINES];
} ls_plot;

void ls_plot_hook(ls_status (*draw)(const ls_plot *p));
int ls_open_plot(lua_State *L);

#endif
