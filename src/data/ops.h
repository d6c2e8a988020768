/* Graphs made from graphs. Labels (ls_graph_label), the namer and the scale go along. Each result is a new
 * graph, the caller's to release; the argument stays as it is (a transpose may be made). */
#ifndef LS_DATA_OPS_H
#define LS_DATA_OPS_H

#include "data/graph.h"

/* Every edge turned round. Shares all arrays with g: forward and transpose change places. */
ls_status ls_graph_reverse(ls_graph *g, ls_graph **out);

#endif
