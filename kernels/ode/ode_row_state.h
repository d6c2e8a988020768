/* Interpolates the states at the time of the next row, if that is within the accepted step. One thread per state and cell. */
#include "ode/ode.h"

#define ODE_ROW_STATE_ARGS(A, W)                                                                            \
  A(IN, f64, x, "vars*cells") A(IN, f64, begin, "vars*cells") A(IN, f64, slopes, "7*vars*cells")            \
  A(INOUT, f64, x_row, "vars*cells") ODE_PACE_ARGS(A) A(VALUE, u32, rows, "1") ODE_STATE_ARGS(A) A(COUNT, u32, due, "1")
ARGS(ode_row_state, ODE_ROW_STATE_ARGS)

VERTEX_BODY(ode_row_state) {
  (void)push;
  const u32 row = a->progress[ODE_AT_ROW];
  if (row > a->progress[ODE_LAST_ROW] || row - a->progress[ODE_FIRST_ROW] >= a->rows) return;
  const f64 t = ode_row_time(LS_POINTER(a->pace), LS_POINTER(a->progress), row);
  const f64 from = a->pace[ODE_PACE_BEFORE], to = a->pace[ODE_PACE_TIME];
  if (!(t <= to)) return;
  const u64 at = ODE_STATE_AT(a, v);
  f64 r[5];
  ls_dopri5_dense(a->begin[at], a->x[at], LS_POINTER(a->slopes) + at, (u64)a->vars * a->cells, to - from, r);
  a->x_row[at] = t >= to ? a->x[at] : ls_dopri5_between(r, (t - from) / (to - from));
  if (v < a->cells) a->x_row[(u64)(a->vars - 1) * a->cells + v] = t;
  if (v == 0) count->due++;
}
