/* A directed graph as compressed sparse rows, with its transpose made on demand.
 *
 * Vertex v's out-edges are to[off[v]] .. to[off[v+1]-1], with weights w at the same places. The transpose
 * lists in-edges the same way: rto[roff[v]] .. are the vertices with an edge to v. Within a row, edges keep
 * the order of the input; in the transpose they are ordered by source. Arrays are buffers of u32 (offsets
 * too: at most 2^32 - 1 edges); weights are i32, i64, f32 or f64, all finite, or absent. Edges may also have
 * transit times (i32 or i64, none negative): what an optimal cycle ratio divides by. A graph's arrays never
 * change.
 */
#ifndef LS_DATA_GRAPH_H
#define LS_DATA_GRAPH_H

#include "data/buffer.h"
#include "data/namer.h"

#define LS_MAX_VERTICES 0xfffffffeull /* LS_NO_VERTEX stays free */
#define LS_MAX_EDGES 0xffffffffull
enum { LS_GRAPH_NAME = 4096 }; /* bytes of a graph's name at most, with the zero behind it */

typedef struct ls_graph {
  int refs;
  u32 n;
  u64 m;
  ls_dtype wtype;             /* LS_NONE: unweighted */
  ls_buffer *off, *to, *w;    /* u32[n+1], u32[m], wtype[m] or NULL */
  ls_buffer *roff, *rto, *rw; /* NULL until ls_graph_transpose */
  ls_dtype ttype;             /* LS_NONE: no times; each edge takes 1 */
  ls_buffer *t, *rt;          /* ttype[m]: times, at the places of to and of rto; or NULL */
  i64 label_base;             /* a file's id of vertex 0: 1 for DIMACS and Matrix Market */
  ls_buffer *ids;  /* i64[n], read-only: each vertex's label, where it is not v + label_base; or NULL */
  ls_namer *namer; /* NULL: vertices go by their numbers */
  bool reversed;   /* for the namer: its moves run from an edge's head to its tail */
  f64 scale;       /* stored weight = file's weight * scale; 1 where not scaled */
  char *name;      /* where it came from, as it may be shown: "road.gr", "rmat(20,16,1)" */
  u64 checksum;    /* of its arrays, once a checkpoint has asked for it; 0: not yet */
} ls_graph;

/* The first of m weights that is no finite number; m where there is none. Whoever lets weights in asks this,
 * so that nobody else has to. In parallel. */
u64 ls_weights_not_finite(ls_dtype wtype, const void *w, u64 m);

/* Takes the three arrays (ls_malloc'ed; w NULL for LS_NONE) over, also on failure. m = off[n]. */
ls_status ls_graph_from_csr(u32 n, u64 m, u32 *off, u32 *to, void *w, ls_dtype wtype, const char *name,
                            ls_graph **out);
/* Takes buffers over (one reference each), also on failure; transpose ones may be NULL. */
ls_status ls_graph_from_buffers(u32 n, u64 m, ls_dtype wtype, ls_buffer *const arrays[6], const char *name,
                                ls_graph **out);
/* Sorts an edge list into rows (stable; parallel). Keeps the lists; ends are below n, which the caller has
 * checked. w may be NULL. */
ls_status ls_graph_from_edges(u32 n, u64 m, const u32 *src, const u32 *dst, const void *w, ls_dtype wtype,
                              const char *name, ls_graph **out);
/* Gives a new graph its edges' times, ttype[m] from ls_malloc, which it takes over, also on failure. LS_EARG
 * where one is negative. */
ls_status ls_graph_take_times(ls_graph *g, void *t, ls_dtype ttype);
/* The same from the edge list that g was made of: t[e] is the time of the edge from src[e]. Keeps the lists.
 */
ls_status ls_graph_list_times(ls_graph *g, const u32 *src, const void *t, ls_dtype ttype);
ls_graph *ls_graph_retain(ls_graph *g);
void ls_graph_release(ls_graph *g);

/* Makes of roff, rto, rw, rt what is not there, on the host (parallel, stable). */
ls_status ls_graph_transpose(ls_graph *g);
static inline bool ls_graph_transposed(const ls_graph *g) {
  return g->roff && (!g->w || g->rw) && (!g->t || g->rt);
}

/* The label a file gave to vertex v. */
static inline i64 ls_graph_label(const ls_graph *g, u32 v) {
  const i64 *ids = g->ids ? (const i64 *)ls_buffer_read(g->ids) : NULL;
  return ids ? ids[v] : (i64)v + g->label_base;
}
/* Which vertex has that label? False where none has. */
bool ls_graph_find(const ls_graph *g, i64 label, u32 *v);
/* Vertices have numbers from 0 in all texts. Vertex v in a text: "5", "5 (6 in the file)", "5 (label 17)" in
 * a part of another graph, "5 (client 2: upload)" in a model's. */
enum { LS_VERTEX_CHARS = 160 };
const char *ls_graph_vertex_text(const ls_graph *g, u32 v, char out[LS_VERTEX_CHARS]);
/* For texts of many vertices: " (vertex v is v + 1 in the file)"; "" where labels are the vertices' numbers.
 */
enum { LS_NUMBERING_CHARS = 64 };
const char *ls_graph_numbering(const ls_graph *g, char out[LS_NUMBERING_CHARS]);

#endif
