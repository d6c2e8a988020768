/* Graphs made from graphs. Labels (ls_graph_label), the namer and the scale go along. Each result is a new
 * graph, the caller's to release; the argument stays as it is (a transpose may be made). */
#ifndef LS_DATA_OPS_H
#define LS_DATA_OPS_H

#include "data/graph.h"

/* What a graph that is made of another keeps of it, besides edges, ids and times. */
void ls_graph_inherit(const ls_graph *from, ls_graph *to);

/* What a graph of some rows of another is called. */
void ls_graph_rows_name(const ls_graph *g, u32 first, u32 past, char out[256]);

/* Every edge turned round. Shares all arrays with g: forward and transpose change places. */
ls_status ls_graph_reverse(ls_graph *g, ls_graph **out);

/* The out-edges of the vertices from first to past - 1 alone; all vertices stay. first <= past <= n. */
ls_status ls_graph_rows(ls_graph *g, u32 first, u32 past, ls_graph **out);

/* The heads outside of first .. past - 1 of all edges, each once, in their order: *list is u32[*count] from
 * ls_malloc. */
ls_status ls_graph_heads_outside(const ls_graph *g, u32 first, u32 past, u32 **list, u64 *count);

/* The part induced by `count` vertices: old vertex vertices[i] becomes i; edges keep their order within rows.
 * LS_EARG where a vertex is not below n or comes twice. */
ls_status ls_graph_subgraph(ls_graph *g, const u32 *vertices, u32 count, ls_graph **out);

/* number[v], g->n of them: the new number of each of these vertices, LS_NO_VERTEX of the others. LS_EARG
 * likewise. */
ls_status ls_graph_number(const ls_graph *g, const u32 *vertices, u32 count, u32 *number);
/* That part, from its arrays off, to, w and t (one reference each, taken over, also on failure; w and t as g
 * has them). */
ls_status ls_graph_part(const ls_graph *g, const u32 *vertices, u32 count, ls_buffer *const arrays[4],
                        ls_graph **out);

/* Renumbers: v becomes to[v]; to u32[n] is a permutation, else LS_EARG. Or by a random one. */
ls_status ls_graph_permute(ls_graph *g, const u32 *to, ls_graph **out);
ls_status ls_graph_shuffle(ls_graph *g, u64 seed, ls_graph **out);

/* Adds every edge's reverse, then keeps one edge of each pair (u, v): that of the least weight. Rows are
 * sorted by target; self loops stay. Needs 2 m < 2^32. */
ls_status ls_graph_symmetrize(ls_graph *g, ls_graph **out);

#endif
