/* Checks an all-pairs distance matrix: each row as the distances from one vertex. O(n (n + m)). */
#include <float.h>

#include "core/mem.h"
#include "core/wait.h"
#include "reference/reference.h"
#include "reference/row_check.h"

ls_status ls_check_fw(ls_graph *g, ls_dtype type, const void *d, f64 tol) {
  ls_row_check c;
  f64 epsilon = type == LS_F32 ? (f64)FLT_EPSILON : DBL_EPSILON;
  if (tol < 0) tol = epsilon * (g->n > 16 ? g->n : 16);
  ls_status st = ls_row_begin(g, false, type, tol, &c);
  for (u64 v = 0; !st && v < g->n; v++) {
    ls_progress("checking distances", v, g->n);
    st = ls_row_check_from(&c, &(u32){(u32)v}, 1, (const u8 *)d + v * g->n * ls_dtype_size(type));
  }
  if (!st) st = ls_row_no_cycle(&c, g, LS_NO_VERTEX);
  ls_progress_end();
  ls_row_end(&c);
  return st;
}
