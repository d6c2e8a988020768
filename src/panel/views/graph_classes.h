/* Classifies vertices for the graph view: a sign, a style, and whether the algorithm is done with the
 * vertex. */
#ifndef LS_PANEL_GRAPH_CLASSES_H
#define LS_PANEL_GRAPH_CLASSES_H

#include "panel/views/view_data.h"
#include "panel/canvas/style.h"

typedef struct ls_vertex_class {
  char sign;
  ls_style style;
  bool settled;   /* of little interest: a component of one vertex (trimmed), or without a value */
  bool live;      /* the algorithm is not done with it */
  u32 group;      /* of a live vertex: its region; else the representative of its component */
  u32 next;       /* the vertex to which its chosen edge or its pointer leads; LS_NO_VERTEX: none */
  char value[12]; /* its value in the colouring buffer, as text */
} ls_vertex_class;

/* The buffer that colours the n vertices: the one called `name`, else components, distances, a policy, marks,
 * or any other; NULL if no buffer has n values. */
const ls_seen *ls_graph_colour(const ls_view_data *m, u32 n, const char *name);
/* The next buffer with n values after ls_graph_colour(m, n, name). */
const ls_seen *ls_graph_next_colour(const ls_view_data *m, u32 n, const char *name);

const ls_seen *ls_graph_marks(const ls_view_data *m,
                              const ls_seen *comp); /* `mark` of the same state, or NULL */

/* Classifies `count` <= LS_SAMPLE vertices, from `first` on. to: the heads of all edges, by which the edge
 * numbers of a policy are converted to vertices; may be NULL. */
void ls_graph_classes(const ls_view_data *m, const ls_seen *colour, u32 first, u32 count, const u32 *to,
                      u32 edges, ls_vertex_class *out);
/* The legend of the signs of these vertices, "o live  > forward ..."; colour: the buffer that classified
 * them. */
const char *ls_graph_legend(const ls_seen *colour, const ls_vertex_class *of, u32 count);

#endif
