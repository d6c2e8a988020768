/* Shared by the savers of text formats. */
#ifndef LS_LOAD_WRITE_H
#define LS_LOAD_WRITE_H

#include "load/format.h"
#include "core/sink.h"

/* A graph's rows on the host. */
typedef struct ls_rows {
  const u32 *off, *to;
  const void *w;
  ls_dtype wtype;
  f64 scale;
  int places; /* scale = 10^places: weights are written exactly, with a point; -1: scale is no power of ten */
} ls_rows;

ls_rows ls_rows_of(const ls_graph *g);

/* Writes one line per edge: `first`, unless it is 0; the source and the target, counted from `base`; the
 * weight, or for a graph without weights `no_weight`, unless it is 0; the time, if any. `between` separates
 * them. */
void ls_write_edges(ls_sink *s, const ls_graph *g, char first, i64 base, char between, char no_weight);

/* Writes the weight of edge e for a file: the stored weight divided by the scale. Reals keep a point or an
 * exponent, so that they are read back as reals. */
void ls_write_weight(ls_sink *s, const ls_rows *r, u64 e);

#endif
