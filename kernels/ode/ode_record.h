/* Records the values of some variables, one thread per value: record[(column*cells + cell)*rows + row]. `steps`, the number of
 * steps between two recorded rows, is used only by the loops that contain this kernel. */
#include "language/kernel.h"

#define ODE_RECORD_ARGS(A, W)                                                                               \
  A(IN, f64, x, "vars*cells") A(IN, u32, column, "columns", index, "vars")                                  \
  A(INOUT, f64, record, "columns*cells*rows") A(VALUE, u32, row, "1", index, "rows")                        \
  A(VALUE, u32, rows, "1") A(VALUE, u32, columns, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1") \
  A(VALUE, u32, steps, "1")
ARGS(ode_record, ODE_RECORD_ARGS)

VERTEX_BODY(ode_record) {
  UNUSED_BODY;
  a->record[(u64)v * a->rows + a->row] = a->x[(u64)a->column[v / a->cells] * a->cells + v % a->cells];
}
