/* Advances to the next row after one has been recorded. One thread. */
#include "ode/ode.h"

#define ODE_ROW_DONE_ARGS(A, W) A(INOUT, u32, progress, "6")
ARGS(ode_row_done, ODE_ROW_DONE_ARGS)

VERTEX_BODY(ode_row_done) {
  UNUSED_BODY;
  if (v == 0) a->progress[ODE_AT_ROW]++;
}
