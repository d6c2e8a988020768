/* Partitions of a graph's vertices, given as id[v]: the vertex that represents v's class (id[id[v]] = id[v]).
 */
#ifndef LS_DATA_PARTITION_H
#define LS_DATA_PARTITION_H

#include "data/graph.h"

/* Numbers the classes 0 .. *classes - 1 in the order of their representatives; number is u32[n], *sizes
 * u32[*classes] from ls_malloc. LS_EARG where id is no such partition. */
ls_status ls_partition_number(u32 n, const u32 *id, u32 *number, u32 *classes, u32 **sizes);

/* The graph of classes: one vertex a class by that numbering, one edge for every pair of classes that an edge
 * of g joins, without loops and copies. */
ls_status ls_quotient(ls_graph *g, const u32 *id, ls_graph **out);

#endif
