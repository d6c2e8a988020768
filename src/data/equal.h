/* Are two buffers, two graphs the same in what they hold? */
#ifndef LS_DATA_EQUAL_H
#define LS_DATA_EQUAL_H

#include "data/buffer.h"
#include "data/graph.h"

/* Type, shape and every element: a NaN differs from every number, -0 is 0. Whole numbers that lie on a device
 * stay there: digests are compared. A closed buffer equals only itself. */
ls_status ls_buffers_equal(ls_buffer *a, ls_buffer *b, bool *yes);

/* Vertices, edges in their order, weights and their scale, times, labels. */
ls_status ls_graphs_equal(ls_graph *a, ls_graph *b, bool *yes);

#endif
