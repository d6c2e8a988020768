/* A directed graph as compressed sparse rows; the transpose is computed on demand.
 *
 * The targets of vertex v's out-edges are to[off[v]] .. to[off[v+1]-1]; w has the weights at the same
 * indices. The transpose lists in-edges the same way: rto[roff[v]] .. are the vertices with an edge to v.
 * Within a row, edges keep the order of the input; in the transpose they are ordered by source. Arrays are
 * buffers of u32 (offsets too: at most 2^32 - 1 edges); weights are i32, i64, f32 or f64, all finite, or
 * absent. Edges may also have transit times (i32 or i64, not negative), the denominators of cycle ratios. A
 * graph's arrays never change.
 */
#ifndef LS_DATA_GRAPH_H
#define LS_DATA_GRAPH_H

#include "data/buffer.h"
#include "data/vertex_names.h"

#define LS_MAX_VERTICES 0xfffffffeull /* leaves LS_NO_VERTEX unused */
#define LS_MAX_EDGES 0xffffffffull
enum { LS_GRAPH_NAME = 4096 }; /* maximum size of a graph's name in bytes, including the terminating zero */

typedef struct ls_graph {
  int refs;
  u32 n;
  u64 m;
  ls_dtype wtype;             /* LS_NONE: unweighted */
  ls_buffer *off, *to, *w;    /* u32[n+1], u32[m], wtype[m] or NULL */
  ls_buffer *roff, *rto, *rw; /* NULL until ls_graph_transpose */
  ls_dtype ttype;             /* LS_NONE: no times; each edge takes 1 */
  ls_buffer *t, *rt;          /* ttype[m]: times, in the order of to and of rto; or NULL */
  i64 label_base;             /* the id of vertex 0 in the file: 1 for DIMACS and Matrix Market */
  ls_buffer *ids; /* i64[n], read-only: the labels of the vertices; NULL: v has the label v + label_base */
  ls_vertex_names *vertex_names; /* NULL: vertices have no names */
  bool reversed;                 /* edges are reversed relative to the model that names the vertices */
  f64 scale;                     /* stored weight = weight in the file * scale; 1 if not scaled */
  char *name;                    /* its origin, safe to print: "road.gr", "rmat(20,16,1)" */
  u64 checksum;                  /* of the arrays; 0: not computed yet (the first checkpoint does) */
} ls_graph;

/* Index of the first weight that is not finite; m if all are. Each function that makes graphs from foreign
 * weights calls it, so other code may rely on finite weights. In parallel. */
u64 ls_weights_not_finite(ls_dtype wtype, const void *w, u64 m);

/* Makes a graph from three ls_malloc'ed arrays (w is NULL for LS_NONE), which it takes over even on failure.
 * m = off[n]. */
ls_status ls_graph_from_csr(u32 n, u64 m, u32 *off, u32 *to, void *w, ls_dtype wtype, const char *name,
                            ls_graph **out);
/* The same from buffers off, to, w, roff, rto, rw; takes over one reference to each, even on failure. The
 * last three may be NULL. */
ls_status ls_graph_from_buffers(u32 n, u64 m, ls_dtype wtype, ls_buffer *const arrays[6], const char *name,
                                ls_graph **out);
/* Makes a graph from an edge list by a stable parallel sort. The lists remain the caller's, who has checked
 * that all vertices are below n. w may be NULL. */
ls_status ls_graph_from_edges(u32 n, u64 m, const u32 *src, const u32 *dst, const void *w, ls_dtype wtype,
                              const char *name, ls_graph **out);
/* Sets the edge times of a new graph: ttype[m] from ls_malloc, which it takes over even on failure. LS_EARG
 * if one is negative. */
ls_status ls_graph_take_times(ls_graph *g, void *t, ls_dtype ttype);
/* The same in the order of the edge list that g was made from: t[e] is the time of the edge from src[e]. The
 * lists remain the caller's. */
ls_status ls_graph_list_times(ls_graph *g, const u32 *src, const void *t, ls_dtype ttype);
ls_graph *ls_graph_retain(ls_graph *g);
void ls_graph_release(ls_graph *g);

/* Computes those of roff, rto, rw and rt that do not exist yet, on the host (parallel, stable). */
ls_status ls_graph_transpose(ls_graph *g);
static inline bool ls_graph_transposed(const ls_graph *g) {
  return g->roff && (!g->w || g->rw) && (!g->t || g->rt);
}

/* The label of vertex v in the file. */
static inline i64 ls_graph_label(const ls_graph *g, u32 v) {
  const i64 *ids = g->ids ? (const i64 *)ls_buffer_read(g->ids) : NULL;
  return ids ? ids[v] : (i64)v + g->label_base;
}
/* Finds the vertex with a label. false: there is none. */
bool ls_graph_find(const ls_graph *g, i64 label, u32 *v);
/* Describes vertex v for messages, which always number vertices from 0: "5", "5 (6 in the file)", "5 (label
 * 17)" in a part of another graph, "5 (client 2: upload)" in the graph of a model. Returns `out`. */
enum { LS_VERTEX_CHARS = 160 };
const char *ls_graph_vertex_text(const ls_graph *g, u32 v, char out[LS_VERTEX_CHARS]);
/* For messages about many vertices: " (vertex v is v + 1 in the file)"; "" if labels are equal to vertex
 * numbers. Returns `out`. */
enum { LS_NUMBERING_CHARS = 64 };
const char *ls_graph_numbering(const ls_graph *g, char out[LS_NUMBERING_CHARS]);

#endif
