/* Functions that derive new graphs from a graph. Labels (ls_graph_label), the names of vertices and the scale
 * are inherited. Each result is a new graph, which the caller releases; the argument does not change (except
 * that its transpose may be computed). */
#ifndef LS_DATA_OPS_H
#define LS_DATA_OPS_H

#include "data/graph.h"

/* Copies to the derived graph `to` what it inherits from `from`, except edges, ids and times. */
void ls_graph_inherit(const ls_graph *from, ls_graph *to);

/* Writes the name of the result of ls_graph_rows. */
void ls_graph_rows_name(const ls_graph *g, u32 first, u32 past, char out[256]);

/* Reverses every edge. Shares all arrays with g: the forward arrays and those of the transpose are swapped.
 */
ls_status ls_graph_reverse(ls_graph *g, ls_graph **out);

/* Keeps only the out-edges of vertices [first, past); all vertices stay. first <= past <= n. */
ls_status ls_graph_rows(ls_graph *g, u32 first, u32 past, ls_graph **out);

/* Lists the edge targets v < first or v >= past, each once, in ascending order: *list is u32[*count] from
 * ls_malloc. */
ls_status ls_graph_heads_outside(const ls_graph *g, u32 first, u32 past, u32 **list, u64 *count);

/* The subgraph induced by `count` vertices: old vertex vertices[i] becomes i; edges keep their order within
 * rows. LS_EARG if a vertex is not below n or is listed twice. */
ls_status ls_graph_subgraph(ls_graph *g, const u32 *vertices, u32 count, ls_graph **out);

/* Sets number[v], for all v below g->n, to the new number of v; LS_NO_VERTEX if v is not listed. LS_EARG as
 * for ls_graph_subgraph. */
ls_status ls_graph_number(const ls_graph *g, const u32 *vertices, u32 count, u32 *number);
/* The same subgraph, made from its arrays off, to, w and t, computed by the caller. Takes over one reference
 * to each, even on failure; w and t are NULL exactly if g has none. */
ls_status ls_graph_part(const ls_graph *g, const u32 *vertices, u32 count, ls_buffer *const arrays[4],
                        ls_graph **out);

/* Renumbers vertices: v becomes to[v]; LS_EARG if the array `to` (u32[n]) is not a permutation.
 * ls_graph_shuffle uses a random permutation. */
ls_status ls_graph_permute(ls_graph *g, const u32 *to, ls_graph **out);
ls_status ls_graph_shuffle(ls_graph *g, u64 seed, ls_graph **out);

/* Adds the reverse of every edge, then keeps for each pair (u, v) only the edge of least weight. Rows of the
 * result are sorted by target; self loops stay. LS_EARG unless 2 m < 2^32. */
ls_status ls_graph_symmetrize(ls_graph *g, ls_graph **out);

#endif
