/* Access to weights of any type as i64 or f64, for the reference algorithms. */
#ifndef LS_REFERENCE_WEIGHTS_H
#define LS_REFERENCE_WEIGHTS_H

#include "data/graph.h"

/* A graph's arrays on the host. */
typedef struct edges {
  u32 n;
  u64 m;
  const u32 *off, *to;
  const void *w;
  ls_dtype wtype;
} edges;

static inline ls_status edges_of(ls_graph *g, edges *out) {
  *out = (edges){g->n, g->m, ls_buffer_read(g->off), ls_buffer_read(g->to), NULL, g->wtype};
  if (g->w) out->w = ls_buffer_read(g->w);
  return !out->off || !out->to || (g->w && !out->w) ? LS_EMEM : LS_OK;
}

/* LS_EOVERFLOW if sums overflowed (too_far) and a vertex could be reached only by such a sum. dist: i64 or,
 * if real, f64 */
ls_status ls_settle_far(const edges *g, bool real, const void *dist, bool too_far);

/* Always inlined: with a constant type, the compiler removes the switch. Edges of an unweighted graph
 * count 1. */
static inline __attribute__((always_inline)) i64 weight_i(const void *w, ls_dtype t, u64 e) {
  switch (t) {
  case LS_I32: return ((const i32 *)w)[e];
  case LS_I64: return ((const i64 *)w)[e];
  default: return 1;
  }
}

static inline __attribute__((always_inline)) f64 weight_f(const void *w, ls_dtype t, u64 e) {
  switch (t) {
  case LS_F32: return (f64)((const f32 *)w)[e];
  case LS_F64: return ((const f64 *)w)[e];
  default: return (f64)weight_i(w, t, e);
  }
}

#endif
