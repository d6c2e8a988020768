/* Do two buffers, or two graphs, have the same contents? */
#ifndef LS_DATA_EQUAL_H
#define LS_DATA_EQUAL_H

#include "data/buffer.h"
#include "data/graph.h"

/* Compares type, shape and every element; reals by ==, so a NaN differs from everything and -0 equals 0.
 * Integers that are on a device are not copied: digests are compared. A closed buffer equals only itself. */
ls_status ls_buffers_equal(ls_buffer *a, ls_buffer *b, bool *yes);

/* Compares the number of vertices, the edges in order, weights and their scale, times, and labels. */
ls_status ls_graphs_equal(ls_graph *a, ls_graph *b, bool *yes);

#endif
