/* The check of one vertex's distances, for ls_check_sssp_claim and for ls_check_fw, where a matrix is n of
 * them. */
#ifndef LS_REFERENCE_ROW_CHECK_H
#define LS_REFERENCE_ROW_CHECK_H

#include "data/reduce.h"
#include "reference/weights.h"

typedef struct ls_row_check {
  edges g;
  ls_dtype type; /* of the distances */
  f64 tol;       /* reals: relative to |dist[v]| + |w| */
  f64 heaviest;  /* reals: the greatest |w| */
  const void *d;
  const u32 *parent; /* NULL: not given */
  u8 *tight;         /* with parent: set where the parent's edge is tight */
  u32 *tree;         /* or NULL: gets the parents by which the search came */
  u32 *queue;
  u8 *seen;
  bool limited; /* only distances up to `limit` are claimed */
  ls_number limit;
} ls_row_check;

ls_status ls_row_begin(ls_graph *g, bool unit, ls_dtype type, f64 tol,
                       ls_row_check *c); /* end it also on failure */
ls_status ls_row_check_from(ls_row_check *c, const u32 *s, u64 sources, const void *d);
/* Reals: is there no negative cycle (that s reaches, where it is a vertex)? The rows have been checked. */
ls_status ls_row_no_cycle(const ls_row_check *c, ls_graph *g, u32 s);
void ls_row_end(ls_row_check *c);

#endif
