/* Draws a summary of a graph that is too large to be drawn: the states of its vertices, their degrees, and
 * the layers of the last search. */
#ifndef LS_PANEL_GRAPH_SUMMARY_H
#define LS_PANEL_GRAPH_SUMMARY_H

#include "panel/views/view_data.h"
#include "panel/views/view.h"

/* colour: the buffer whose values are summarised; NULL: none. */
void ls_graph_summary(const ls_view_draw *d, ls_rect in, const ls_view_data *m, const ls_seen *colour);

#endif
