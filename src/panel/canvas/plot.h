/* Plots of series and tables: in the terminal, as SVG, PNG or PDF by gnuplot, or their numbers as CSV. */
#ifndef LS_PANEL_PLOT_H
#define LS_PANEL_PLOT_H

#include "lua/base/l_plot.h"

/* Writes the plot to p->file: LS_EARG if its ending is not .svg, .png, .pdf or .csv, LS_EIO if gnuplot is
 * missing or fails. Without a file, draws it in the terminal (ls_say). */
ls_status ls_plot_draw(const ls_plot *p);

/* The `plot` command: plots series of the current run, by their names. */
ls_status ls_plot_command(const char *rest);

#endif
