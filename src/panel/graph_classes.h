/* What the graph view says of every vertex: a sign, a style, and whether the algorithm is done with it. */
#ifndef LS_PANEL_GRAPH_CLASSES_H
#define LS_PANEL_GRAPH_CLASSES_H

#include "panel/model.h"
#include "panel/style.h"

typedef struct ls_vertex_class {
  char sign;
  ls_style style;
  bool settled;   /* to be overlooked: trimmed, or done with */
  bool live;      /* the algorithm is not done with it */
  u32 group;      /* its component's representative, or while live its region; edges lead within or between */
  u32 next;       /* where a chosen edge or a pointer leads; no vertex: nowhere */
  char value[12]; /* in the buffer that colours */
} ls_vertex_class;

/* The buffer that colours: the one named, else components, distances, a policy, marks; NULL: none fits n. */
const ls_seen *ls_graph_colour(const ls_model *m, u32 n, const char *name);
/* The next one that could, after the one named. */
const ls_seen *ls_graph_next_colour(const ls_model *m, u32 n, const char *name);

/* Classes of the first n <= count vertices, from `first` on. to: the heads of edges, for a policy of edge
 * numbers; may be NULL. */
void ls_graph_classes(const ls_model *m, const ls_seen *colour, u32 first, u32 count, const u32 *to,
                      u32 edges, ls_vertex_class *out);
/* What the signs of these vertices mean, "o live  > forward ..."; by the same buffer. */
const char *ls_graph_legend(const ls_seen *colour, const ls_vertex_class *of, u32 count);

#endif
