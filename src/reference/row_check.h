/* Checks the distances from one source (or from several): ls_check_sssp_claim does so once, ls_check_fw for
 * each row of a matrix. */
#ifndef LS_REFERENCE_ROW_CHECK_H
#define LS_REFERENCE_ROW_CHECK_H

#include "data/reduce.h"
#include "reference/weights.h"

typedef struct ls_row_check {
  edges g;
  ls_dtype type; /* of the distances */
  f64 tol;       /* reals: tolerance, relative to |dist[v]| + |w| */
  f64 heaviest;  /* reals: the greatest |w| */
  const void *d;
  const u32 *parent; /* NULL: not given */
  u8 *tight;         /* if `parent` is given: set to 1 if an edge from the parent is tight */
  u32 *tree;         /* if not NULL, gets the parents in the tree of the search */
  u32 *queue;
  u8 *seen;
  bool limited; /* only distances up to `limit` are claimed */
  ls_number limit;
} ls_row_check;

ls_status ls_row_begin(ls_graph *g, bool unit, ls_dtype type, f64 tol,
                       ls_row_check *c); /* the caller must call ls_row_end even on failure */
ls_status ls_row_check_from(ls_row_check *c, const u32 *s, u64 sources, const void *d);
/* Reals: checks that there is no negative cycle (reachable from s, unless s is LS_NO_VERTEX). To be called
 * after the rows have been checked. */
ls_status ls_row_no_cycle(const ls_row_check *c, ls_graph *g, u32 s);
void ls_row_end(ls_row_check *c);

#endif
