/* Plots of series and tables: in the terminal, as SVG, PNG or PDF by gnuplot, or their numbers as CSV. */
#ifndef LS_PANEL_PLOT_H
#define LS_PANEL_PLOT_H

#include "lua/l_plot.h"

/* p->file: LS_EARG for another ending than .svg, .png, .pdf or .csv, LS_EIO where gnuplot is missing or
 * fails. Else it is said in the terminal (ls_say). */
ls_status ls_plot_draw(const ls_plot *p);

/* The `plot` command: series of the present run by their names. */
ls_status ls_plot_command(const char *rest);

#endif
