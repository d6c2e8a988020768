/* Computes positions of the vertices of a small graph, for drawing it. */
#ifndef LS_PANEL_GRAPH_LAYOUT_H
#define LS_PANEL_GRAPH_LAYOUT_H

#include "panel/views/view_data.h"

enum { LS_DRAWN_VERTICES = 256, LS_DRAWN_EDGES = LS_SAMPLE };

typedef enum ls_layout { LS_SPRINGS, LS_CIRCLE, LS_LAYERS, LS_MATRIX, LS_LAYOUTS } ls_layout;

typedef struct ls_drawn_graph {
  u32 n, m;
  u32 off[LS_DRAWN_VERTICES + 1], to[LS_DRAWN_EDGES];
  f64 x[LS_DRAWN_VERTICES], y[LS_DRAWN_VERTICES]; /* 0..1; y downwards */
} ls_drawn_graph;

/* The graph with its positions, valid until another graph or layout is requested. NULL if the graph is too
 * large, or if its arrays cannot be read now. */
const ls_drawn_graph *ls_graph_places(ls_graph *g, ls_layout layout);

#endif
