/* Assigns the values that ode_jumps has put into x_next, one thread per assignment and cell. x_next keeps them: steps copy only
 * states. */
#include "ode/ode.h"

#define ODE_JUMPED_ARGS(A, W)                                                                               \
  A(INOUT, f64, x, "vars*cells") A(IN, f64, x_next, "vars*cells") A(IN, u32, jump, "2*assigned")           \
  A(VALUE, u32, assigned, "1") A(VALUE, u32, early, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1") \
  A(VALUE, u32, order, "1") A(COUNT, u32, lost, "1")
ARGS(ode_jumped, ODE_JUMPED_ARGS)

VERTEX_BODY(ode_jumped) {
  UNUSED_BODY;
  const u32 i = v / a->cells, place = a->jump[2 * i], is_state = a->jump[2 * i + 1];
  if ((i >= a->early) != (a->order > 0) || place >= a->vars) return;
  const u64 at = (u64)place * a->cells + v % a->cells;
  if (is_state && isfinite(a->x[at]) && !isfinite(a->x_next[at])) count->lost++;
  a->x[at] = a->x_next[at];
}
