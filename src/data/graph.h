/* A directed graph as compressed sparse rows, with its transpose made on demand.
 *
 * Vertex v's out-edges are to[off[v]] .. to[off[v+1]-1], with weights w at the same places. The transpose
 * lists in-edges the same way: rto[roff[v]] .. are the vertices with an edge to v. Within a row, edges keep
 * the order of the input; in the transpose they are ordered by source. Arrays are buffers of u32 (offsets
 * too: at most 2^32 - 1 edges); weights are i32, i64, f32 or f64, or absent. A graph's arrays never change. */
#ifndef LS_DATA_GRAPH_H
#define LS_DATA_GRAPH_H

#include "data/buffer.h"

#define LS_MAX_VERTICES 0xfffffffeull /* LS_NO_VERTEX stays free */
#define LS_MAX_EDGES 0xffffffffull

typedef struct ls_graph {
  int refs;
  u32 n;
  u64 m;
  ls_dtype wtype;             /* LS_NONE: unweighted */
  ls_buffer *off, *to, *w;    /* u32[n+1], u32[m], wtype[m] or NULL */
  ls_buffer *roff, *rto, *rw; /* NULL until ls_graph_transpose */
  i64 label_base;             /* a file's id of vertex 0: 1 for DIMACS and Matrix Market */
  f64 scale;                  /* stored weight = file's weight * scale; 1 where not scaled */
  char *name;                 /* where it came from: "road.gr", "rmat(20,16,1)" */
} ls_graph;

/* Takes the three arrays (ls_malloc'ed; w NULL for LS_NONE) over, also on failure. m = off[n]. */
ls_status ls_graph_from_csr(u32 n, u64 m, u32 *off, u32 *to, void *w, ls_dtype wtype, const char *name,
                            ls_graph **out);
/* Takes buffers over (one reference each), also on failure; transpose ones may be NULL. */
ls_status ls_graph_from_buffers(u32 n, u64 m, ls_dtype wtype, ls_buffer *const arrays[6], const char *name,
                                ls_graph **out);
/* Sorts an edge list into rows by counting (stable; parallel). Keeps the lists. w may be NULL. */
ls_status ls_graph_from_edges(u32 n, u64 m, const u32 *src, const u32 *dst, const void *w, ls_dtype wtype,
                              const char *name, ls_graph **out);
ls_graph *ls_graph_retain(ls_graph *g);
void ls_graph_release(ls_graph *g);

/* Makes roff, rto, rw on the host if they are not there (parallel, stable). */
ls_status ls_graph_transpose(ls_graph *g);

/* The label a file gave to vertex v. */
static inline i64 ls_graph_label(const ls_graph *g, u32 v) { return (i64)v + g->label_base; }

#endif
