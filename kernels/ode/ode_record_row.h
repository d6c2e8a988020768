/* Records the values of some variables, one thread per value, in the row that is due. Unlike ode_record, it takes the row from
 * `progress`. */
#include "ode/ode.h"

#define ODE_RECORD_ROW_ARGS(A, W)                                                                           \
  A(IN, f64, x_row, "vars*cells") A(IN, u32, column, "columns", index, "vars")                              \
  A(INOUT, f64, record, "columns*cells*rows") A(IN, u32, progress, "6") A(VALUE, u32, rows, "1")            \
  A(VALUE, u32, columns, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1")
ARGS(ode_record_row, ODE_RECORD_ROW_ARGS)

VERTEX_BODY(ode_record_row) {
  UNUSED_BODY;
  const u32 row = a->progress[ODE_AT_ROW] - a->progress[ODE_FIRST_ROW];
  if (row < a->rows) a->record[(u64)v * a->rows + row] = a->x_row[(u64)a->column[v / a->cells] * a->cells + v % a->cells];
}
