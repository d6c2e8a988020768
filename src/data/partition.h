/* Partitions of a graph's vertices, given as id[v]: the vertex that represents v's class (id[id[v]] = id[v]).
 */
#ifndef LS_DATA_PARTITION_H
#define LS_DATA_PARTITION_H

#include "data/graph.h"

/* Numbers the classes 0 .. *classes - 1 in the order of their representatives. number[v], u32[n], becomes the
 * number of v's class; *sizes, u32[*classes] from ls_malloc, the sizes of the classes. LS_EARG if id is not a
 * partition. */
ls_status ls_partition_number(u32 n, const u32 *id, u32 *number, u32 *classes, u32 **sizes);

/* How many classes have the same size. */
typedef struct ls_tally {
  u32 size;
  u64 times;
} ls_tally;

/* Fills `tally` with the `most` largest of the sizes, in descending order. *different: how many different
 * sizes there are. count < 2^32. */
ls_status ls_partition_tally(const u32 *sizes, u64 count, u32 most, ls_tally *tally, u32 *different);

/* The quotient graph: one vertex per class, numbered as by ls_partition_number, and one edge for every pair
 * of different classes that an edge of g joins. */
ls_status ls_quotient(ls_graph *g, const u32 *id, ls_graph **out);

#endif
